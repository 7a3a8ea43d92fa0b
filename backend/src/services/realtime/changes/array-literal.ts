// PostgreSQL array literals of texts: many values in one parameter.

export function arrayElement(value: string | null): string {
  return value === null ? 'NULL' : `"${value.replace(/[\\"]/g, '\\$&')}"`;
}

export function arrayOf(elements: readonly string[]): string {
  return `{${elements.join(',')}}`;
}

export function arrayLiteral(values: readonly (string | null)[]): string {
  return arrayOf(values.map(arrayElement));
}
