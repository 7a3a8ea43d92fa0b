import { type ReactNode, useState } from 'react';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { SiteLink } from '#web/components/ui/place-links.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import { foreignZone } from '#web/lib/format/dates.ts';
import { GuardsPanel } from './assignments-panel.tsx';
import { RepeatPanel } from './repeat-panel.tsx';
import { useShift } from './shift-api.ts';
import { ShiftDetails } from './shift-form.tsx';
import type { Shift } from './shift-schema.ts';
import type { ShiftTab } from './shift-search.ts';
import { formatShift } from './shift-times.ts';
import { describeAbsences, judgeStaffing } from './staffing.ts';

type ShiftDialogProps = {
  id: string;
  tab: ShiftTab | undefined;
  onTab: (tab: ShiftTab | undefined) => void;
  /** Contents of the tab Replacement, which shifts that are not over have. */
  replacement: (shiftId: string) => ReactNode;
  onClose: () => void;
};

type BodyProps = Omit<ShiftDialogProps, 'id'> & { shift: Shift };

function ShiftBody({ shift, tab, onTab, replacement, onClose }: BodyProps) {
  const isOver = Date.parse(shift.end_time) <= Date.now();
  const shown = tab === undefined || (tab === 'replacement' && isOver) ? 'guards' : tab;
  // A tab is mounted on its first visit and stays mounted, so that entries survive a look at another tab.
  const [visited, setVisited] = useState<readonly string[]>([shown]);
  if (!visited.includes(shown)) setVisited([...visited, shown]);
  const tabProps = (name: string) =>
    visited.includes(name) && ({ value: name, forceMount: true, hidden: shown !== name } as const);
  const details = tabProps('details');
  const guards = tabProps('guards');
  const repeat = tabProps('repeat');
  const replacing = tabProps('replacement');
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p>
          <span className="block font-semibold">
            <SiteLink id={shift.site_id} name={shift.site_name} />
          </span>
          <span className="text-sm text-muted">
            {formatShift(shift)}
            {foreignZone(shift.timezone) && `, ${foreignZone(shift.timezone)}`}
          </span>
        </p>
        <div className="grid gap-1 sm:justify-items-end">
          <p className="flex items-center gap-3">
            <span className="font-semibold tabular-nums">
              {shift.assigned}/{shift.required_headcount}
            </span>
            <StatusBadge status={judgeStaffing(shift)} />
          </p>
          {describeAbsences(shift) && (
            <p className="text-sm text-muted">{describeAbsences(shift)}</p>
          )}
        </div>
      </div>
      <Tabs
        value={shown}
        onValueChange={(value) =>
          onTab(
            value === 'details' || value === 'repeat' || value === 'replacement'
              ? value
              : undefined,
          )
        }
      >
        <TabsList aria-label="Parts of the shift">
          <TabsTrigger value="guards">Guards</TabsTrigger>
          {!isOver && <TabsTrigger value="replacement">Replace</TabsTrigger>}
          <TabsTrigger value="details">Details</TabsTrigger>
          <TabsTrigger value="repeat">Repeat</TabsTrigger>
        </TabsList>
        {guards && (
          <TabsContent {...guards} className="pt-6">
            <GuardsPanel shift={shift} />
          </TabsContent>
        )}
        {replacing && !isOver && (
          <TabsContent {...replacing} className="pt-6">
            {replacement(shift.id)}
          </TabsContent>
        )}
        {details && (
          <TabsContent {...details} className="pt-6">
            <ShiftDetails shift={shift} onClose={onClose} />
          </TabsContent>
        )}
        {repeat && (
          <TabsContent {...repeat} className="pt-6">
            <RepeatPanel shift={shift} onClose={onClose} />
          </TabsContent>
        )}
      </Tabs>
    </div>
  );
}

export function ShiftDialog({ id, ...rest }: ShiftDialogProps) {
  const query = useShift(id);
  return (
    <DetailDialog
      query={query}
      title="Edit Shift"
      missing="This shift does not exist, or you don't have access to it."
      onClose={rest.onClose}
    >
      {(shift) => <ShiftBody shift={shift} {...rest} />}
    </DetailDialog>
  );
}
