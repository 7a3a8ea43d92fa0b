// A parsed query string: the result of the grammar, the input of the plan.

export interface JsonStep {
  kind: 'key' | 'index';
  /** A key, or an index with an optional minus sign. */
  name: string;
  /** `->>`: the value as text. */
  asText: boolean;
}

export interface Field {
  name: string;
  path: JsonStep[];
}

export const QUANTIFIED = {
  eq: '=',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
} as const;

export const SIMPLE = {
  neq: '<>',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
} as const;

export const SEARCH = {
  fts: 'to_tsquery',
  plfts: 'plainto_tsquery',
  phfts: 'phraseto_tsquery',
  wfts: 'websearch_to_tsquery',
} as const;

export type QuantifiedName = keyof typeof QUANTIFIED;
export type SimpleName = keyof typeof SIMPLE;
export type SearchName = keyof typeof SEARCH;

export type Operation =
  | { kind: 'simple'; operator: SimpleName; value: string }
  | { kind: 'quantified'; operator: QuantifiedName; quantifier?: 'any' | 'all'; value: string }
  | { kind: 'in'; values: string[] }
  | { kind: 'is'; value: 'null' | 'not null' | 'true' | 'false' | 'unknown' }
  | { kind: 'distinct'; value: string }
  | { kind: 'search'; operator: SearchName; language?: string; value: string };

export interface Condition {
  negated: boolean;
  operation: Operation;
}

export interface Filter extends Condition {
  field: Field;
}

export type Logic =
  | { kind: 'filter'; filter: Filter }
  | { kind: 'group'; negated: boolean; operator: 'and' | 'or'; terms: Logic[] };

export interface OrderTerm {
  /** An embedded to-one resource by whose column the parent is ordered. */
  relation?: string;
  field: Field;
  direction?: 'asc' | 'desc';
  nulls?: 'first' | 'last';
}

export type Aggregate = 'sum' | 'avg' | 'count' | 'max' | 'min';

export interface SelectField {
  kind: 'field';
  field: Field;
  alias?: string;
  cast?: string;
  aggregate?: Aggregate;
  aggregateCast?: string;
}

export interface SelectEmbed {
  kind: 'embed';
  name: string;
  alias?: string;
  hint?: string;
  join?: 'inner' | 'left';
  isSpread: boolean;
  select: SelectItem[];
}

export type SelectItem = SelectField | SelectEmbed;

/** A part of the request that applies to an embedded resource; an empty path is the root. */
export interface At<T> {
  path: string[];
  value: T;
}

export interface Query {
  select: SelectItem[];
  filters: At<Filter>[];
  logic: At<Logic>[];
  order: At<OrderTerm[]>[];
  limits: At<bigint>[];
  offsets: At<bigint>[];
  columns?: string[];
  onConflict?: string[];
  /** Arguments of a function called by GET. */
  params: [name: string, value: string][];
  /** Sorted and encoded, for Content-Location. */
  canonical: string;
}

export interface Limits {
  /** Levels of embedding. */
  embedDepth: number;
  /** Embedded resources in total: each is a join, and each level may multiply the rows. */
  embeds: number;
  /** Levels of nested `and`/`or`, which are parsed and planned recursively. */
  logicDepth: number;
  /** Levels of arrays and objects in a body, which PostgreSQL parses recursively. */
  jsonDepth: number;
  /** Characters of a regular expression or a text search in a filter. */
  patternLength: number;
  /** Bytes of a response. */
  responseBytes: number;
}
