/** The command line: reads `argv` (without node and file), does the work, returns the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  console.error(`pawl: nothing here yet (${argv.length} arguments)`);
  return 2;
}
