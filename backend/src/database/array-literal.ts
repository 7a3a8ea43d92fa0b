// PostgreSQL array literals (PostgreSQL docs, "Array Input and Output Syntax").

/** Separate from `arrayLiteral`, so that the literal of a long value can be cached. */
export function arrayElement(value: string | null): string {
  return value === null ? 'NULL' : `"${value.replace(/[\\"]/g, '\\$&')}"`;
}

export const arrayOf = (elements: readonly string[]): string => `{${elements.join(',')}}`;

export const arrayLiteral = (values: readonly (string | null)[]): string =>
  arrayOf(values.map(arrayElement));

/** @returns the elements of an array literal, nested ones flattened, unquoted and unescaped */
export function arrayElements(literal: string): string[] {
  const elements = literal.matchAll(/"((?:[^"\\]|\\.)*)"|((?:[^"\\{},]|\\.)+)/gs);
  return [...elements].map(([, quoted, plain]) => (quoted ?? plain ?? '').replace(/\\(.)/gs, '$1'));
}
