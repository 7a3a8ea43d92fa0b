// All SQL here is built from quoted identifiers and parameters; nothing else comes from a request.

/** Collects the parameters of a statement while its text is built. */
export class Values {
  readonly list: (string | null)[] = [];
  /** Index of the request body. */
  bodyAt: number | undefined;

  /** @returns the placeholder, for example `$3` */
  add(value: string | null): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }

  /** As `add`, for the request body: the value to replace when a cached statement is reused. */
  addBody(rows: string): string {
    this.bodyAt = this.list.length;
    return this.add(rows);
  }
}

export const ident = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const qualified = (schema: string, name: string): string =>
  `${ident(schema)}.${ident(name)}`;

/** Common table expression with the result of a write or call. */
export const SOURCE = 'pgrst_source';
