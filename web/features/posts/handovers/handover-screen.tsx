import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { mayDo } from '#shared/permissions.ts';
import { DeleteRecordDialog } from '#web/components/form/delete-dialog.tsx';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { SiteChoice } from '#web/components/list/site-choice.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { usePostOptions, useSiteOptions } from '#web/lib/data/lookups.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { equipmentRecords, useSiteHandovers } from './api.ts';
import type { HandoverSearch } from './search.ts';

type Site = NonNullable<ReturnType<typeof useSiteHandovers>['data']>;

const LIST = 'divide-y divide-line border-t border-line';

function EquipmentPanel({ siteId, site }: { siteId: string; site: Site }) {
  const { roles } = useAuth();
  const mayChange = mayDo(roles, 'equipment', 'update');
  const records = useMemo(() => equipmentRecords(siteId), [siteId]);
  const { data: posts = [] } = usePostOptions(siteId);
  const [opened, setOpened] = useState<{ id: string; isDeleted: boolean }>();
  const close = () => setOpened(undefined);
  return (
    <Panel title="Equipment">
      {mayChange && (
        <Button
          variant="secondary"
          className="mb-3"
          onClick={() => setOpened({ id: 'new', isDeleted: false })}
        >
          <Plus aria-hidden="true" className="size-4" /> Add Equipment
        </Button>
      )}
      <ul className={LIST}>
        {site.equipment.map(({ id, name, serial, quantity, posts: post }) => (
          <li key={id} className="flex items-center gap-2 py-2">
            <div className="min-w-0 flex-1">
              <p className="font-semibold break-words">
                {name}
                {quantity > 1 && ` ×${quantity}`}
              </p>
              <p className="text-sm break-words text-muted">
                {[serial, post?.name ?? 'Every post'].filter(Boolean).join(', ')}
              </p>
            </div>
            {mayChange && (
              <>
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={`Edit ${name}`}
                  onClick={() => setOpened({ id, isDeleted: false })}
                >
                  <Pencil aria-hidden="true" className="size-4" />
                </Button>
                <Button
                  variant="danger-ghost"
                  size="icon"
                  aria-label={`Delete ${name}`}
                  onClick={() => setOpened({ id, isDeleted: true })}
                >
                  <Trash2 aria-hidden="true" className="size-4" />
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
      {opened && !opened.isDeleted && (
        <RecordDialog open={opened.id} listed={site.equipment} records={records} onClose={close}>
          {(form) => {
            const field = createFields(form);
            return (
              <FieldGrid>
                {field.text('name', 'Name', { placeholder: 'Radio' })}
                {field.text('serial', 'Serial number', { optional: true })}
                {field.count('quantity', 'Quantity')}
                {field.select('post_id', 'Post', [
                  ['', 'Every post'],
                  ...posts.map(({ id, name }): [string, string] => [id, name]),
                ])}
              </FieldGrid>
            );
          }}
        </RecordDialog>
      )}
      {opened?.isDeleted && (
        <DeleteRecordDialog
          records={records}
          id={opened.id}
          consequence="Guards no longer take it over. Past handovers stay."
          onClose={close}
        />
      )}
    </Panel>
  );
}

function Past({ site }: { site: Site }) {
  return (
    <div className="grid content-start gap-6">
      <Panel title="Handovers">
        <ul className={LIST}>
          {site.handovers.map(({ id, side, missing, damaged, taken_at, guard, posts }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
              <span className="min-w-0 flex-1 basis-40 break-words">
                {formatName(guard)}
                {posts && <span className="text-muted">, {posts.name}</span>}
              </span>
              <span className="text-sm text-muted tabular-nums">
                {side === 'taken' ? 'Taken over' : 'Left'} {formatDateTime(taken_at)}
              </span>
              {missing === null && damaged === null && <Badge tone="green">Complete</Badge>}
              {missing !== null && (
                <Badge tone="red" className="max-w-full whitespace-normal">
                  Missing: {missing}
                </Badge>
              )}
              {damaged !== null && (
                <Badge tone="orange" className="max-w-full whitespace-normal">
                  Damaged: {damaged}
                </Badge>
              )}
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title="Notes">
        <ul className={LIST}>
          {site.notes.map(({ id, note, written_at, guard, posts }) => (
            <li key={id} className="py-2">
              <p className="break-words whitespace-pre-line">{note}</p>
              <p className="text-sm text-muted">
                {[formatName(guard), posts?.name, formatDateTime(written_at)]
                  .filter(Boolean)
                  .join(', ')}
              </p>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}

type HandoverScreenProps = { search: HandoverSearch; onChange: ChangeSearch<HandoverSearch> };

export function HandoverScreen({ search, onChange }: HandoverScreenProps) {
  const { data: sites = [] } = useSiteOptions();
  const siteId = search.site ?? sites[0]?.id ?? '';
  const query = useSiteHandovers(siteId);
  return (
    <>
      <ScreenHeading
        title="Handovers"
        subtitle="Equipment of the posts, and notes that guards leave for the next shift."
      />
      <div className="mb-5">
        <SiteChoice value={siteId} onChoose={(site) => onChange({ site })} />
      </div>
      <Loaded query={query} loadingText="Loading handovers...">
        {(site) => (
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <EquipmentPanel key={siteId} siteId={siteId} site={site} />
            <Past site={site} />
          </div>
        )}
      </Loaded>
    </>
  );
}
