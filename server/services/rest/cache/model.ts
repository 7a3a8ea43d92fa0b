// What the service knows of the database: tables, keys, relationships and functions of the exposed schemas.

/** Functions of a domain's implicit casts, which show and read its values (quoted names). */
export interface Representation {
  toJson?: string;
  fromJson?: string;
  fromText?: string;
}

export interface Column {
  name: string;
  /** As declared, with its length, for example `character varying(20)`. */
  type: string;
  /** The type below domains, without length, for example `jsonb`. */
  baseType: string;
  isNullable: boolean;
  /** SQL of the default, from the catalogue; null when there is none. */
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
  /** Whether row-level security, or a function in a view, may show each caller other rows. */
  differsByCaller: boolean;
  /** In the order of the table. */
  columns: Map<string, Column>;
  primaryKey: string[];
  insertable: boolean;
  updatable: boolean;
  deletable: boolean;
}

interface RelationshipEnds {
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

export interface Junction {
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
  /** Empty for a parameter without a name. */
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
  returnsSet: boolean;
  returns: 'void' | 'scalar' | 'composite';
  /** The table whose rows it returns, where it does. */
  table: { schema: string; name: string } | null;
}

/** Makes answers of a media type: a function that returns a domain with its name, or an aggregate that does. */
export interface MediaHandler {
  /** For Content-Type; `*` + `/*` has become application/octet-stream. */
  mediaType: string;
  /** Of an aggregate, quoted; undefined for a function whose own result is the body. */
  aggregate: string | undefined;
  /** The row type that the aggregate takes, quoted; undefined for one that takes any. */
  rowType: string | undefined;
  isBytes: boolean;
}

export interface SchemaCache {
  tables: Map<string, Table>;
  /** By the table they start from. */
  relationships: Map<string, Relationship[]>;
  /** By table or function, then by media type. */
  handlers: Map<string, Map<string, MediaHandler>>;
  /** Of aggregates that take any row, by media type. */
  anyRowHandlers: Map<string, MediaHandler>;
  /** Overloads of each name. */
  routines: Map<string, Routine[]>;
  /** Whether a function, policy or view reads `request.headers` and its like, so that reads must set them. */
  readsRequest: boolean;
  /** Whether a function may leave a setting to its connection, which then must be reset after reads too. */
  keepsSettings: boolean;
  /** PostgREST's settings kept in the database, as `alter role authenticator set pgrst.db_max_rows …`. */
  settings: Record<string, string>;
  /** Settings of each role, as `alter role anon set statement_timeout …`: becoming a role does not apply them. */
  roleSettings: Map<string, [name: string, value: string][]>;
  /** Names of the search path that a connection of the callers has by itself. */
  searchPath: string[];
  /** Time limit of a statement that such a connection has by itself. */
  statementTimeout: string;
}

/** Key of the maps: no name can hold a NUL. */
export const keyOf = (schema: string, name: string): string => `${schema}\0${name}`;

export const isToOne = (relationship: Relationship): boolean =>
  relationship.kind === 'computed'
    ? relationship.isToOne
    : relationship.kind === 'many-to-one' || relationship.kind === 'one-to-one';
