export interface Limits {
  /** Levels of embedding. */
  embedDepth: number;
  /** Embedded resources in total: each is a join, and each level may multiply the rows. */
  embeds: number;
  /** Levels of nested `and`/`or`, which are parsed and planned recursively. */
  logicDepth: number;
  /** Levels of arrays and objects in a body, which PostgreSQL parses recursively. */
  jsonDepth: number;
  /** Characters of a regular expression in a filter. */
  patternLength: number;
  /** Bytes of a response. */
  responseBytes: number;
}
