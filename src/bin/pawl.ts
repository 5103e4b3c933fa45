/** Starts the command line. Everything heavy is behind this one lazy import. */
const { main } = await import("#ui");
process.exitCode = await main(process.argv.slice(2));
