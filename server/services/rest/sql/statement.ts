// The ground of all SQL here: identifiers are quoted, values are parameters, and nothing else comes from a request.

/** Collects the values of a statement while its text is written. */
export class Values {
  readonly list: (string | null)[] = [];
  /** Where among them the rows of a write's body stand. */
  bodyAt: number | undefined;

  /** @returns the parameter that stands for the value, for example `$3` */
  add(value: string | null): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }

  /** As `add`, for the rows of a body: the one value that differs from a write to the next of its kind. */
  addBody(rows: string): string {
    this.bodyAt = this.list.length;
    return this.add(rows);
  }
}

export const ident = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const qualified = (schema: string, name: string): string =>
  `${ident(schema)}.${ident(name)}`;

/** Name of the common table expression that holds what a write or a call gave back. */
export const SOURCE = 'pgrst_source';

/** PostgreSQL's array syntax, for a parameter whose element type it infers. */
export function arrayLiteral(values: readonly string[]): string {
  const quoted = values.map(
    (value) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
  );
  return `{${quoted.join(',')}}`;
}
