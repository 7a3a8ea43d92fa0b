// How much one request may ask for by its mere shape, whatever the database would make of it.

export interface Limits {
  /** Levels of embedding. */
  embedDepth: number;
  /** Embedded resources in all: each is a join, and each level may multiply the rows. */
  embeds: number;
  /** Levels of nested `and`/`or`. Deeper ones make the reading and the planning of a statement recursive without need. */
  logicDepth: number;
  /** Levels of arrays and objects in a body; PostgreSQL reads JSON recursively and would run out of stack far deeper. */
  jsonDepth: number;
  /** Characters of a regular expression in a filter. */
  patternLength: number;
  /** Bytes of an answer. */
  responseBytes: number;
}
