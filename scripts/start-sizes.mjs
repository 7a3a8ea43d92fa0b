// What a first start needs, in MB (10⁶ bytes): said before it downloads, and compared with the free disk space.
// Measured on Linux x64; scripts/start-sizes.test.ts fails when the packages have become larger or smaller.

/** Packages for running: what npm downloads with an empty cache, and the blocks of their files in node_modules. */
export const PACKAGES = { download: 94, disk: 460 };
/** dist, and what the build needs while it runs. */
export const BUILD = 40;
/** A new database with its write-ahead log. */
export const DATABASE = 75;
/** The demo company on top of it, and the write-ahead log of filling it. */
export const DEMO = 300;
