/** `pawl demo`. @returns the exit code */
export async function demo(argv: readonly string[]): Promise<number> {
  console.error(`pawl demo ${argv.join(" ")}: comes in a later commit of this version.`);
  return 2;
}
