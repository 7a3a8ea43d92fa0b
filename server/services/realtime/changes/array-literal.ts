// A PostgreSQL array literal of texts: many values in one parameter.
export function arrayLiteral(values: readonly (string | null)[]): string {
  const items = values.map((value) =>
    value === null ? 'NULL' : `"${value.replace(/[\\"]/g, '\\$&')}"`,
  );
  return `{${items.join(',')}}`;
}
