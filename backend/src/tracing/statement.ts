// Spans name the operation and the table or function, never the text, which may have values.

export interface StatementSummary {
  operation: string;
  /** Table or function, with its schema. */
  target?: string | undefined;
}

const OPERATION =
  /^(?:\s|--[^\n]*\n)*(select|insert|update|delete|merge|begin|commit|rollback|savepoint|set|with|explain|notify|listen)\b/i;
const LITERALS = /'(?:[^']|'')*'/g;
/** `extract(epoch from …)` names no table, nor does `is distinct from …`. */
const OTHER_FROM = /\b(?:extract\s*\(\s*\w+|distinct)\s+from\b/gi;
const CHANGE = /\b(insert\s+into|update|delete\s+from|merge\s+into)\s+(?:only\s+)?(\w+\.\w+)/i;
const TABLE = /\b(?:from|join)\s+(?:only\s+|lateral\s+)?(\w+\.\w+)/i;
const FUNCTION = /^\s*select\s+(\w+\.\w+)\s*\(/i;

/** @param text of a statement of ours */
export function summarize(text: string): StatementSummary {
  const plain = text.replace(LITERALS, '').replace(OTHER_FROM, '');
  const first = OPERATION.exec(plain)?.[1]?.toUpperCase() ?? 'SQL';
  const changed = CHANGE.exec(plain);
  if (changed && first !== 'SELECT') {
    const [, verb = ''] = changed;
    return { operation: verb.split(/\s/)[0]?.toUpperCase() ?? first, target: changed[2] };
  }
  const operation = first === 'WITH' ? 'SELECT' : first;
  if (operation !== 'SELECT') return { operation };
  const called = FUNCTION.exec(plain)?.[1];
  return { operation, target: called ?? TABLE.exec(plain)?.[1] };
}
