import { Pencil, Plus, Printer, Trash2 } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { DeleteRecordDialog } from '#web/components/form/delete-dialog.tsx';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { download } from '#web/lib/files/download.ts';
import { checkpointRecords, tourRecords, usePlan } from './api.ts';
import { type Checkpoint, formatRhythm } from './schema.ts';
import { TourFields } from './tour-fields.tsx';

type Opened = { kind: 'checkpoint' | 'tour'; id: string; action: 'edit' | 'delete' };

type RowProps = {
  name: string;
  children: ReactNode;
  /** Undefined for users who only look. */
  onEdit: (() => void) | undefined;
  onDelete: (() => void) | undefined;
};

function PlanRow({ name, children, onEdit, onDelete }: RowProps) {
  return (
    <li className="flex items-center gap-2 py-2">
      <div className="min-w-0 flex-1">
        <p className="font-semibold break-words">{name}</p>
        <p className="text-sm break-words text-muted">{children}</p>
      </div>
      {onEdit && (
        <Button variant="ghost" size="icon" aria-label={`Edit ${name}`} onClick={onEdit}>
          <Pencil aria-hidden="true" className="size-4" />
        </Button>
      )}
      {onDelete && (
        <Button variant="danger-ghost" size="icon" aria-label={`Delete ${name}`} onClick={onDelete}>
          <Trash2 aria-hidden="true" className="size-4" />
        </Button>
      )}
    </li>
  );
}

async function printLabels(checkpoints: readonly Checkpoint[], site: string): Promise<void> {
  const { labelsPdf } = await import('./qr-sheet.ts');
  download(`checkpoints-${site}.pdf`, labelsPdf(checkpoints, site));
}

type SitePlanProps = { siteId: string; siteName: string; mayChange: boolean };

export function SitePlan({ siteId, siteName, mayChange }: SitePlanProps) {
  const query = usePlan(siteId);
  const [opened, setOpened] = useState<Opened>();
  const [isPrinting, setPrinting] = useState(false);
  const points = useMemo(() => checkpointRecords(siteId), [siteId]);
  const tours = useMemo(() => tourRecords(siteId), [siteId]);
  const close = () => setOpened(undefined);
  const opener = (kind: Opened['kind'], action: Opened['action'], id: string) =>
    mayChange ? () => setOpened({ kind, id, action }) : undefined;

  async function print(checkpoints: readonly Checkpoint[]) {
    setPrinting(true);
    await printLabels(checkpoints, siteName).catch((error: unknown) =>
      showError('Error', describeError(error)),
    );
    setPrinting(false);
  }
  const isOpen = (kind: Opened['kind'], action: Opened['action']) =>
    opened?.kind === kind && opened.action === action;
  return (
    <Loaded query={query} loadingText="Loading checkpoints...">
      {(plan) => (
        <div className="grid gap-6 lg:grid-cols-2">
          <Panel title="Checkpoints">
            <div className="mb-3 flex flex-wrap gap-3">
              {mayChange && (
                <Button variant="secondary" onClick={opener('checkpoint', 'edit', 'new')}>
                  <Plus aria-hidden="true" className="size-4" /> Add Checkpoint
                </Button>
              )}
              <Button
                variant="secondary"
                busy={isPrinting}
                disabled={plan.checkpoints.length === 0}
                onClick={() => void print(plan.checkpoints)}
              >
                <Printer aria-hidden="true" className="size-4" /> Print Labels
              </Button>
            </div>
            <ul className="divide-y divide-line border-t border-line">
              {plan.checkpoints.map(({ id, name, number, latitude }) => (
                <PlanRow
                  key={id}
                  name={name}
                  onEdit={opener('checkpoint', 'edit', id)}
                  onDelete={opener('checkpoint', 'delete', id)}
                >
                  Number {number}
                  {latitude === null && ', without a position'}
                </PlanRow>
              ))}
            </ul>
          </Panel>
          <Panel title="Tours">
            {mayChange && (
              <div className="mb-3">
                <Button
                  variant="secondary"
                  disabled={plan.checkpoints.length === 0}
                  onClick={opener('tour', 'edit', 'new')}
                >
                  <Plus aria-hidden="true" className="size-4" /> Add Tour
                </Button>
              </div>
            )}
            <ul className="divide-y divide-line border-t border-line">
              {plan.tours.map((tour) => (
                <PlanRow
                  key={tour.id}
                  name={tour.name}
                  onEdit={opener('tour', 'edit', tour.id)}
                  onDelete={opener('tour', 'delete', tour.id)}
                >
                  {tour.posts?.name ?? 'Any guard at the site'}. {formatRhythm(tour)}.{' '}
                  {tour.checkpoints.length} checkpoints
                </PlanRow>
              ))}
            </ul>
          </Panel>
          {opened && isOpen('checkpoint', 'edit') && (
            <RecordDialog
              open={opened.id}
              listed={plan.checkpoints}
              records={points}
              onClose={close}
            >
              {(form) => {
                const field = createFields(form);
                return (
                  <FieldGrid>
                    {field.text('name', 'Name', { placeholder: 'Back gate' })}
                    {field.text('position', 'Position', {
                      optional: true,
                      hint: 'Latitude, longitude. A scan far from it is flagged.',
                    })}
                  </FieldGrid>
                );
              }}
            </RecordDialog>
          )}
          {opened && isOpen('tour', 'edit') && (
            <RecordDialog open={opened.id} listed={plan.tours} records={tours} onClose={close}>
              {(form) => <TourFields form={form} checkpoints={plan.checkpoints} />}
            </RecordDialog>
          )}
          {opened && opened.action === 'delete' && opened.kind === 'checkpoint' && (
            <DeleteRecordDialog
              records={points}
              id={opened.id}
              consequence="Its label no longer works. Past scans stay, without its name."
              obstacle={
                plan.tours.some(({ checkpoints }) => checkpoints.includes(opened.id))
                  ? 'A tour visits this checkpoint. Take it out of the tour first.'
                  : undefined
              }
              onClose={close}
            />
          )}
          {opened && opened.action === 'delete' && opened.kind === 'tour' && (
            <DeleteRecordDialog
              records={tours}
              id={opened.id}
              consequence="Its rounds are no longer planned. Past scans stay."
              onClose={close}
            />
          )}
        </div>
      )}
    </Loaded>
  );
}
