// What a first start needs, in MB (10⁶ bytes): said before it downloads, and compared with the free disk space.
// Measured on Linux x64; tests/start/sizes.test.ts fails when one is no longer true.

/** Packages: what npm downloads with an empty cache, and node_modules. */
export const PACKAGES = {
  running: { download: 88, disk: 478 },
  all: { download: 150, disk: 729 },
};
/** dist, and what the build needs meanwhile. */
export const BUILD = 40;
/** A new database with its write-ahead log. */
export const DATABASE = 75;
/** The demo company on top of it. */
export const DEMO = 450;
