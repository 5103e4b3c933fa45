/** Cases this program means to answer in another way than the fixtures, and why. */
export const exceptions: Readonly<Record<string, string>> = {
  "edit-changed-since-read":
    "the field case E14 wants the opposite: an edit whose text still has one place is applied, and both changes are " +
    "there. The place in the file as it is now is the proof; an earlier read proves nothing more",
};
