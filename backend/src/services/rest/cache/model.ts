/** Quoted names of the functions behind a domain's implicit casts (PostgREST docs, "Domain Representations"). */
export interface Representation {
  toJson?: string;
  fromJson?: string;
  fromText?: string;
}

export interface Column {
  name: string;
  /** As declared, including the length, for example `character varying(20)`. */
  type: string;
  /** The type below domains, without the length, for example `jsonb`. */
  baseType: string;
  isNullable: boolean;
  /** SQL expression, or null. */
  default: string | null;
  description: string | null;
  /** Labels of an enumeration, in order. */
  labels: string[] | null;
  representation: Representation | null;
}

export interface Table {
  schema: string;
  name: string;
  description: string | null;
  isView: boolean;
  isPartition: boolean;
  /** Whether row-level security, or a function in a view, may show callers different rows. */
  differsByCaller: boolean;
  /** In table order. */
  columns: Map<string, Column>;
  primaryKey: string[];
  insertable: boolean;
  updatable: boolean;
  deletable: boolean;
}

export interface RelationshipEnds {
  schema: string;
  table: string;
  foreignSchema: string;
  foreignTable: string;
  foreignIsView: boolean;
  isSelf: boolean;
}

export type Relationship = RelationshipEnds &
  (
    | {
        kind: 'many-to-one' | 'one-to-many' | 'one-to-one';
        constraint: string;
        /** Column of the table, column of the foreign table. */
        columns: [own: string, foreign: string][];
      }
    | { kind: 'many-to-many'; junction: Junction }
    | { kind: 'computed'; functionSchema: string; functionName: string; isToOne: boolean }
  );

interface Junction {
  schema: string;
  table: string;
  constraint: string;
  foreignConstraint: string;
  /** Column of the table, column of the junction. */
  columns: [own: string, junction: string][];
  /** Column of the foreign table, column of the junction. */
  foreignColumns: [foreign: string, junction: string][];
}

export interface Parameter {
  /** Empty for an unnamed parameter. */
  name: string;
  type: string;
  isRequired: boolean;
  isVariadic: boolean;
}

export interface Routine {
  schema: string;
  name: string;
  description: string | null;
  parameters: Parameter[];
  isVolatile: boolean;
  /** PostgreSQL plans its query as part of the caller's ("Inlining of SQL functions" in the PostgreSQL wiki). */
  isInlined: boolean;
  /**
   * Set by `create function … set statement_timeout` for the transaction of a call, as PostgREST's
   * db-hoisted-tx-settings.
   */
  statementTimeout: string | null;
  returnsSet: boolean;
  returns: 'void' | 'scalar' | 'composite';
  /** The table whose rows it returns, if any. */
  table: { schema: string; name: string } | null;
}

/** A function or an aggregate that returns a domain named like the media type. */
export interface MediaHandler {
  /** For Content-Type; application/octet-stream for the domain `*` + `/*`. */
  mediaType: string;
  /** Quoted name of the aggregate; undefined for a function, whose result is the body. */
  aggregate: string | undefined;
  /** Quoted row type that the aggregate takes; undefined for `anyelement`. */
  rowType: string | undefined;
  isBytes: boolean;
}

/** Effects of SQL that a request for a table runs implicitly. */
export interface Reach {
  /** It may read `request.headers` or similar, so that they must be set. */
  readsRequest: boolean;
  /** It may change settings of the session, which must be reset afterwards. */
  changesSession: boolean;
}

export interface SchemaCache {
  tables: Map<string, Table>;
  /** By origin table. */
  relationships: Map<string, Relationship[]>;
  /** By table or function, then by media type. */
  handlers: Map<string, Map<string, MediaHandler>>;
  /** Aggregates over `anyelement`, by media type. */
  anyRowHandlers: Map<string, MediaHandler>;
  /** Overloads by name. */
  routines: Map<string, Routine[]>;
  reads: Reach;
  /** By table, not by view. */
  writes: ReadonlyMap<string, Reach>;
  /** Whether reads of tables set no `response.headers` or similar, and dates have the style of ISO 8601. */
  readsPlainly: boolean;
  /** In-database configuration, for example `alter role authenticator set pgrst.db_max_rows …`. */
  settings: Record<string, string>;
  /** Settings of each role, for example `alter role anon set statement_timeout …`: `set role` does not apply them. */
  roleSettings: Map<string, [name: string, value: string][]>;
  /** Default search path of the callers' connections. */
  searchPath: string[];
  /** Default statement timeout of the callers' connections. */
  statementTimeout: string;
}

/** Key of the maps. PostgreSQL names can't contain NUL. */
export const keyOf = (schema: string, name: string): string => `${schema}\0${name}`;

/** @returns the names of a schema in one of the maps */
export const namesIn = (schema: string, map: ReadonlyMap<string, unknown>): string[] =>
  [...map.keys()].flatMap((key) =>
    key.startsWith(`${schema}\0`) ? [key.slice(schema.length + 1)] : [],
  );

export const isToOne = (relationship: Relationship): boolean =>
  relationship.kind === 'computed'
    ? relationship.isToOne
    : relationship.kind === 'many-to-one' || relationship.kind === 'one-to-one';
