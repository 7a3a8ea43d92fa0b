import type { Grants, Operation, Rows, Subject } from '#shared/grants.ts';
import { type TableName, tables } from '#shared/permissions.ts';
import type { Person, SiteKey } from './people.ts';

export interface RowFacts {
  /** Id of the row's owner. */
  owner?: string;
  site?: SiteKey;
  /** The site whose client it belongs to. */
  client?: SiteKey;
  /** Ids of the people assigned to it. */
  assigned?: readonly string[];
  /** Ids of the people whom an announcement addresses. */
  addressed?: readonly string[];
}

function isSubject(person: Person, subject: string): boolean {
  const known: readonly string[] = person.roles;
  if (subject === 'visitor') return person.claims === null;
  if (subject === 'account') return person.claims !== null;
  if (subject === 'client') return person.contactOf !== undefined;
  if (subject === 'proved') return person.claims !== null && !person.unproved;
  if (person.claims === null || person.closed || person.unproved) return false;
  return subject === 'member' || known.includes(subject);
}

function covers(rows: Rows, person: Person, row: RowFacts): boolean {
  switch (rows) {
    case 'all':
      return true;
    case 'own':
      return row.owner === person.id;
    case 'others':
      return row.owner !== person.id;
    case 'site':
      return person.supervises === undefined || person.supervises === row.site;
    case 'client':
      return row.client !== undefined && row.client === person.contactOf;
    case 'unscoped':
      return person.supervises === undefined;
    case 'assigned':
      return row.assigned?.includes(person.id) ?? false;
    case 'addressed':
      return row.addressed?.includes(person.id) ?? false;
  }
}

/** Whether shared/permissions.ts allows the operation on a row with these facts. */
export function isAllowed(
  person: Person,
  table: TableName,
  operation: Operation,
  row: RowFacts,
): boolean {
  const grants: Grants = tables[table][operation];
  const subjects = Object.entries(grants) as [Subject, Rows | readonly Rows[]][];
  return subjects.some(
    ([subject, rows]) =>
      isSubject(person, subject) &&
      (typeof rows === 'string' ? [rows] : rows).some((kind) => covers(kind, person, row)),
  );
}
