/** How much is measured. Rounds are runs of each subject; they alternate. */
export interface Profile {
  /** Of what takes a fraction of a second. */
  readonly startRounds: number;
  /** Of runs up to 100 turns. */
  readonly runRounds: number;
  readonly longRounds: number;
  readonly longTurns: number;
}

export const fullProfile: Profile = {
  startRounds: 21,
  runRounds: 5,
  longRounds: 3,
  longTurns: 2000,
};

export const smokeProfile: Profile = {
  startRounds: 3,
  runRounds: 1,
  longRounds: 1,
  longTurns: 300,
};
