"use strict";

// Old syntax on purpose: this file must run, and fail clearly, on any Node.
var parts = process.versions.node.split(".");
var major = Number(parts[0]);
var minor = Number(parts[1]);

if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    "Node " +
      process.version +
      " is too old: Pawl needs 22.19 or newer. Run `npm ci` (it brings Node 24 for the npm scripts on Linux), or install a newer Node.",
  );
  process.exit(1);
}
