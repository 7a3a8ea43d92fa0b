import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { mayManageAccounts } from '#shared/screens.ts';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Breadcrumbs } from '#web/components/layout/breadcrumbs.tsx';
import { FileImport } from '#web/components/list/file-import.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { checkDuplicates } from '#web/lib/data/staff-duplicates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { usePersonPage } from './api.ts';
import { useHireCourses, useHirePeople } from './hire-api.ts';
import { HireFields } from './hire-form.tsx';
import { HIRE_COLUMNS, hireReader, MOST_HIRED, toForms } from './hire-import.ts';
import { emptyHire, hireSchema, toEntry } from './hire-schema.ts';
import type { Issued } from './issued-code.ts';
import type { Person } from './schema.ts';
import { StartCodes } from './start-codes.tsx';

const MANAGING = 'A phone number is enough: the guard signs in with it and a start code.';
const NO_PAY = `${MANAGING} Finance adds the pay.`;

function Hired({ issued, onNext }: { issued: Issued[]; onNext: () => void }) {
  const { length } = issued;
  return (
    <div className="mx-auto max-w-3xl">
      <ScreenHeading title={length === 1 ? 'Hired' : `${length} people hired`} />
      <StartCodes issued={issued} />
      <div className="mt-6 flex flex-wrap gap-3">
        <Button variant="secondary" onClick={onNext}>
          Hire another
        </Button>
        <Link to="/admin/people" className={buttonStyles({ variant: 'ghost' })}>
          People
        </Link>
      </div>
    </div>
  );
}

type HireProps = {
  /** A staff record that gets an account. */
  record: Person | undefined;
  onCancel: () => void;
};

function Hire({ record, onCancel }: HireProps) {
  const courses = useHireCourses();
  const { mutateAsync } = useHirePeople();
  const [issued, setIssued] = useState<Issued[]>();
  const isAdmin = mayManageAccounts(useAuth().roles);
  if (issued) return <Hired issued={issued} onNext={() => setIssued(undefined)} />;

  function hired(people: Issued[]) {
    setIssued(people);
    window.scrollTo({ top: 0 });
  }
  return (
    <div className="mx-auto max-w-4xl">
      <Loaded query={courses} loadingText="Loading courses...">
        {(choices) => (
          <>
            <Breadcrumbs
              trail={[{ label: 'People', to: '/admin/people' }]}
              current={record ? 'Create Account' : 'Hire a Guard'}
            />
            <ScreenHeading
              title={record ? 'Create Account' : 'Hire a Guard'}
              subtitle={
                record
                  ? `For the staff record of ${formatName(record)}.`
                  : isAdmin
                    ? MANAGING
                    : NO_PAY
              }
            >
              {isAdmin && !record && (
                <FileImport
                  title="Hire from a file"
                  records="Guards"
                  columns={HIRE_COLUMNS}
                  most={MOST_HIRED}
                  readRow={hireReader(choices)}
                  checkRows={(rows) => checkDuplicates(toForms(rows, choices))}
                  importRows={async (rows, numbers) => {
                    const forms = toForms(rows, choices);
                    const people = await mutateAsync({
                      entries: forms.map((form) => toEntry(form, true)),
                      numbers,
                    });
                    hired(people);
                    return people.length;
                  }}
                />
              )}
            </ScreenHeading>
            <Card className="p-5 sm:p-8">
              <RecordForm
                schema={hireSchema}
                defaultValues={emptyHire(record, isAdmin)}
                submitLabel={record ? 'Create Account' : 'Hire'}
                savingLabel={record ? 'Creating...' : 'Hiring...'}
                save={(form) =>
                  mutateAsync({ entries: [toEntry(form, isAdmin, record?.staff?.id)] })
                }
                onSaved={hired}
                onCancel={onCancel}
              >
                {(form) => (
                  <HireFields
                    form={form}
                    courses={choices}
                    hasRecord={record !== undefined}
                    isAdmin={isAdmin}
                  />
                )}
              </RecordForm>
            </Card>
          </>
        )}
      </Loaded>
    </div>
  );
}

function HireOf({ staffId, onCancel }: { staffId: string; onCancel: () => void }) {
  return (
    <Loaded query={usePersonPage(staffId)} loadingText="Loading staff record...">
      {(person) =>
        person === null || person.hasAccount ? (
          <Alert title="This staff record has an account already, or was deleted." />
        ) : (
          <Hire record={person} onCancel={onCancel} />
        )
      }
    </Loaded>
  );
}

type HireScreenProps = { staffId: string | undefined; onCancel: () => void };

/** One form for account, role, staff record and certificates: all of it is saved, or nothing. */
export function HireScreen({ staffId, onCancel }: HireScreenProps) {
  usePageTitle('Hire');
  if (staffId === undefined) return <Hire record={undefined} onCancel={onCancel} />;
  return <HireOf staffId={staffId} onCancel={onCancel} />;
}
