import type { QueryKey } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

type FieldKind =
  | { kind: 'day' | 'time' }
  /** `suggestions` fill the field with one press. */
  | { kind: 'text'; most: number; suggestions?: readonly string[] }
  | { kind: 'number'; least: number; most: number }
  | { kind: 'choice'; options: readonly (readonly [value: string, label: string])[] }
  | { kind: 'site'; emptyLabel?: string };

export type ActionField = FieldKind & {
  name: string;
  label: string;
  hint?: string;
  initial?: string | (() => string);
  optional?: boolean;
};

/** Values of the fields by name; empty text for what was left out. */
export type ActionValues = Readonly<Record<string, string>>;

export type ActionResult = {
  /** Rows that changed; those that were already so are not counted. */
  changed: number;
  /** Restores all of them in one request. Undefined if that is impossible. */
  undo?: (() => Promise<ActionNote>) | undefined;
  /** What it has caused, below the title of the toast. */
  note?: ActionNote;
};

/** Added to the toast, for example which guards could not be assigned again. */
export type ActionNote = string | undefined;

export type ListAction<Row> = {
  /** The verb on the button, for example "Mark as paid". */
  label: string;
  icon: LucideIcon;
  isDanger?: boolean;
  appliesTo?(row: Row): boolean;
  /** Why the action leaves the other rows out, for example "not pending". */
  leftOut?: string;
  /** Warns of the effect or loss. An action with fields or a consequence opens a dialog; any other runs at once. */
  consequence?(rows: Row[]): ReactNode;
  fields?: readonly ActionField[];
  /** @returns what is wrong with the fields together */
  check?(values: ActionValues): string | undefined;
  run(rows: Row[], values: ActionValues): Promise<ActionResult>;
  /** Title of the toast without the number of rows, for example "marked as paid". */
  done: string;
};

export type BulkActions<Row> = {
  /** For example "payroll record" and "payroll records". */
  noun: readonly [one: string, many: string];
  /** Names a row for screen readers. */
  nameOf(row: Row): string;
  /** Empty if the user's role allows none: then rows can't be selected. */
  actions: readonly ListAction<Row>[];
};

/** From `listQueries`. */
export type RowSource<Row> = {
  /** Root of the query keys that show these rows. */
  key: QueryKey;
  /** Search and filters: a change drops the selection. */
  filters: object;
  /** All rows that match them, on all pages. */
  fetchAll(): Promise<Row[]>;
};

export type ListActions<Row> = BulkActions<Row> & RowSource<Row>;
