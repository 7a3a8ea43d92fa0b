import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { OptionSelect } from '#web/components/ui/option-select.tsx';
import { useSiteOptions } from '#web/lib/data/lookups.ts';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { dayAfter, findMonday } from '#web/lib/format/days.ts';
import { CopyGuards } from './copy-guards.tsx';
import { CopySteps } from './copy-steps.tsx';
import {
  type CopyChoices,
  useCopiedGuards,
  useCopyWeek,
  useWeekCopyPreview,
  type WeekCopy,
} from './week-api.ts';

const NO_CHOICES: CopyChoices = { p_without: [], p_despite_leave: [] };

type CopyWeekDialogProps = {
  /** A day of the week to copy from, yyyy-MM-dd. */
  day: string;
  siteId: string | undefined;
  onClose: () => void;
};

type WeekFieldProps = { label: string; value: string; onChange: (day: string) => void };

function WeekField({ label, value, onChange }: WeekFieldProps) {
  const monday = value && findMonday(value);
  return (
    <Field label={label} hint={monday && formatPeriod(monday, dayAfter(monday, 6))}>
      {(control) => (
        <Input
          {...control}
          type="date"
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

export function CopyWeekDialog({ day, siteId, onClose }: CopyWeekDialogProps) {
  const [from, setFrom] = useState(day);
  const [to, setTo] = useState(dayAfter(day, 7));
  const [site, setSite] = useState(siteId ?? '');
  const [withGuards, setWithGuards] = useState(true);
  const [choices, setChoices] = useState(NO_CHOICES);
  const { data: sites = [] } = useSiteOptions();
  const isReady = from !== '' && to !== '' && findMonday(from) !== findMonday(to);
  const copy: WeekCopy = {
    p_from: isReady ? findMonday(from) : '',
    p_to: isReady ? findMonday(to) : '',
    ...(site && { p_site_id: site }),
    p_with_guards: withGuards,
    ...choices,
  };
  const preview = useWeekCopyPreview(copy, isReady);
  const guards = useCopiedGuards(copy, isReady && withGuards);
  const mutation = useCopyWeek();

  return (
    <Dialog open onOpenChange={onClose} title="Copy Week" className="sm:max-w-2xl">
      <div className="grid gap-6">
        <div className="grid grid-cols-2 gap-5">
          <WeekField label="From the week of" value={from} onChange={setFrom} />
          <WeekField label="To the week of" value={to} onChange={setTo} />
          <Field label="Site" className="col-span-2">
            {(control) => (
              <OptionSelect
                {...control}
                isSearched
                options={sites.map(({ id, name }) => [id, name])}
                empty="All sites"
                searchLabel="Search sites"
                value={site}
                onChange={setSite}
              />
            )}
          </Field>
        </div>
        <CopySteps
          copy={copy}
          withGuards={{
            checked: withGuards,
            onChange: setWithGuards,
            hint: 'Guards on leave or on another shift at that time are left out.',
          }}
          preview={isReady ? preview : undefined}
          incomplete={<p className="text-sm text-danger">Choose two different weeks.</p>}
          empty="That week has no shifts."
          isChecking={guards.isLoading}
          aboutExisting={
            withGuards && (
              <p className="mt-1 text-sm text-muted">
                Shifts that exist keep their guards.{' '}
                <Link
                  to="/admin/roster"
                  search={{ week: copy.p_to }}
                  className="font-medium text-accent underline underline-offset-4"
                >
                  Copy guards onto them in the Roster
                </Link>
                , under Fill.
              </p>
            )
          }
          choices={
            guards.isLoading ? (
              <Loading text="Checking guards..." />
            ) : withGuards && guards.data ? (
              <CopyGuards guards={guards.data} choices={choices} onChange={setChoices} />
            ) : undefined
          }
          mutation={mutation}
          onClose={onClose}
        />
      </div>
    </Dialog>
  );
}
