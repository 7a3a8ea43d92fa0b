import type { ReactNode } from 'react';
import { Alert } from '#web/components/ui/alert.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import {
  describeDuplicate,
  type GivenPerson,
  useDuplicates,
} from '#web/lib/data/staff-duplicates.ts';

type DuplicateNoticeProps = {
  given: GivenPerson;
  /** The record that is edited. */
  except?: string | undefined;
  /** Decisions about a person with the same email or phone. */
  children?: ReactNode;
};

export function DuplicateNotice({ given, except, children }: DuplicateNoticeProps) {
  const { data: found = [] } = useDuplicates(given, except);
  if (found.length === 0) return null;
  return (
    <Alert
      title={
        found.length === 1 ? 'Already on the staff?' : `${found.length} people could be this one`
      }
      className="col-span-full"
    >
      <ul className="grid gap-1">
        {found.slice(0, 5).map((one) => (
          <li key={one.staff_id}>
            <PersonLink id={one.staff_id} name={one.full_name} />: {describeDuplicate(one)}
          </li>
        ))}
      </ul>
      {found.some(({ is_certain }) => is_certain) && children}
    </Alert>
  );
}
