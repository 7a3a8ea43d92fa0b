import { Eraser } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { mayManageAccounts } from '#shared/screens.ts';
import { DownloadData } from '#web/components/records/download-data.tsx';
import { EraseDialog } from '#web/components/records/erase-dialog.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { formatName } from '#web/lib/format/person-name.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { type ErasurePreview, useErasePerson, useErasurePreview } from './api.ts';
import type { Person } from './schema.ts';

const counted = (count: number, one: string, many: string) =>
  count === 0 ? [] : [count === 1 ? `1 ${one}` : `${formatCount(count)} ${many}`];

function staysOf(preview: ErasurePreview): string[] {
  return [
    ...counted(preview.shifts, 'worked shift', 'worked shifts').map(
      (text) => `${text}: pay and invoices are computed from them`,
    ),
    ...counted(preview.payslips, 'pay record', 'pay records').map(
      (text) => `${text}: the law asks for them for years`,
    ),
    ...counted(preview.incidents, 'report', 'reports').map(
      (text) => `${text} of incidents, without the name`,
    ),
  ];
}

function List({ title, items }: { title: string; items: string[] }) {
  if (items.length === 0) return null;
  return (
    <div>
      <p className="font-semibold">{title}</p>
      <ul className="mt-1 list-disc pl-5">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  );
}

function ErasePersonDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const { mutateAsync } = useErasePerson();
  const query = useErasurePreview(person.id);
  const preview = query.data;
  if (preview && preview.obstacles.length === 0) {
    return (
      <EraseDialog
        title="Erase Person"
        kind="person"
        id={person.id}
        name={preview.full_name}
        success="Person erased"
        erase={(typed) => mutateAsync({ id: person.id, typed })}
        onClose={onClose}
      >
        <p>
          Name, phone, email, home area, pay accounts and the account they sign in with go. Issued
          invoices, letters, payslips and files that the bank has stay as they are.
        </p>
        <List
          title='This stays, under the name "Former guard" and a number:'
          items={staysOf(preview)}
        />
      </EraseDialog>
    );
  }
  return (
    <Dialog open onOpenChange={onClose} title="Erase Person">
      <Loaded query={query} loadingText="Checking what would go...">
        {({ obstacles }) => (
          <Alert title={`${formatName(person)} can't be erased yet`}>
            <ul className="list-disc pl-5">
              {obstacles.map((obstacle) => (
                <li key={obstacle}>{obstacle}</li>
              ))}
            </ul>
          </Alert>
        )}
      </Loaded>
    </Dialog>
  );
}

export function PrivacySection({ person }: { person: Person }) {
  const { roles, user } = useAuth();
  const [isErasing, setErasing] = useState(false);
  const isErased = person.hasAccount && person.account === null;
  const mayErase = mayManageAccounts(roles) && user?.id !== person.id && !isErased;
  return (
    <Panel title="Personal Data">
      <p className="mb-4 text-sm text-pretty text-muted">
        One file with everything about this person, for when they ask for it.
        {mayErase && ' After they have left, their data can be erased; the books stay whole.'}
      </p>
      <div className="flex flex-wrap gap-3">
        <DownloadData id={person.id} label="Download Data" />
        {mayErase && (
          <Button variant="danger-ghost" aria-haspopup="dialog" onClick={() => setErasing(true)}>
            <Eraser aria-hidden="true" className="size-4.5" />
            Erase Person
          </Button>
        )}
      </div>
      {isErasing && <ErasePersonDialog person={person} onClose={() => setErasing(false)} />}
    </Panel>
  );
}
