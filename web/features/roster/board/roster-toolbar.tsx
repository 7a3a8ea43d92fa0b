import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { RosterBoardInput } from '#shared/roster/input.ts';
import { choice, type Filter, nameChoice, searchedChoice } from '#web/components/list/filters.tsx';
import { ListToolbar } from '#web/components/list/list-toolbar.tsx';
import { Button } from '#web/components/ui/button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatPeriod, today } from '#web/lib/format/dates.ts';
import { dayAfter, findMonday } from '#web/lib/format/days.ts';
import { type RosterSearch, toSpan } from './roster-schema.ts';

type ToolbarProps = { search: RosterSearch; onChange: ChangeSearch<RosterSearch> };

type SegmentsProps<Value> = {
  legend: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
};

function Segments<Value extends string | number | undefined>(props: SegmentsProps<Value>) {
  return (
    <fieldset className="flex rounded-sm border border-line-strong">
      <legend className="sr-only">{props.legend}</legend>
      {props.options.map(({ value, label }) => (
        <button
          key={label}
          type="button"
          aria-pressed={props.value === value}
          onClick={() => props.onChange(value)}
          className="min-h-11 px-2.5 text-sm font-semibold whitespace-nowrap aria-pressed:bg-primary aria-pressed:text-primary-ink"
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}

const VIEWS = [
  { value: undefined, label: 'Posts' },
  { value: 'guards', label: 'Guards' },
] as const;

const WEEKS = [
  { value: undefined, label: '1 week' },
  { value: 4, label: '4 weeks' },
] as const;

export function WeekControls({ search, onChange }: ToolbarProps) {
  const { monday, weeks, from, to } = toSpan(search);
  const show = (day: string) =>
    onChange({ week: day === findMonday(dayAfter(today(), 7)) ? undefined : day, day: undefined });
  return (
    <>
      <div className="flex items-center">
        <Button
          variant="ghost"
          size="icon"
          aria-label="Previous week"
          onClick={() => show(dayAfter(monday, -7 * weeks))}
        >
          <ChevronLeft aria-hidden="true" className="size-5" />
        </Button>
        <p role="status" className="min-w-40 text-center font-semibold tabular-nums">
          {formatPeriod(from, to)}
        </p>
        <Button
          variant="ghost"
          size="icon"
          aria-label="Next week"
          onClick={() => show(dayAfter(monday, 7 * weeks))}
        >
          <ChevronRight aria-hidden="true" className="size-5" />
        </Button>
      </div>
      <Segments
        legend="Rows"
        options={VIEWS}
        value={search.view}
        onChange={(view) => onChange({ view, q: undefined })}
      />
      <div className="max-md:hidden">
        <Segments
          legend="Days"
          options={WEEKS}
          value={search.weeks}
          onChange={(count) => onChange({ weeks: count })}
        />
      </div>
    </>
  );
}

export function RosterFilters({
  search,
  onChange,
  board,
}: ToolbarProps & { board: RosterBoardInput | undefined }) {
  const { clients = [], supervisors = [], courses = [] } = board ?? {};
  const filters: Filter[] = [
    { kind: 'site', key: 'site' },
    nameChoice('client', 'Client', 'All clients', clients),
    ...(supervisors.length > 0 || search.supervisor
      ? [nameChoice('supervisor', 'Supervisor', 'All supervisors', supervisors)]
      : []),
    searchedChoice(
      'course',
      'Certificate',
      'All certificates',
      courses.map(({ id, title }) => [id, title]),
    ),
    choice('gaps', 'Rows shown', search.view === 'guards' ? 'All guards' : 'All posts', [
      ['open', search.view === 'guards' ? 'With free hours' : 'Only gaps'],
    ]),
  ];
  return (
    <ListToolbar
      search={search}
      onChange={onChange}
      searchLabel={search.view === 'guards' ? 'Search guards' : 'Search posts'}
      filters={filters}
      isAlwaysOpen
    />
  );
}
