// Schedules of PAYE and NASSCORP that are owed to the state for a month.
import { useMutation } from '@tanstack/react-query';
import { FileDown } from 'lucide-react';
import { useMemo } from 'react';
import { formatCount } from '#shared/count.ts';
import { formatMoney } from '#shared/money.ts';
import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { ExportButton } from '#web/components/list/list-buttons.tsx';
import { Pager, usePages } from '#web/components/list/pager.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import { showError } from '#web/components/ui/toast.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { PAGE_SIZE } from '#web/lib/data/pages.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { download } from '#web/lib/files/download.ts';
import { formatDay, formatMonths } from '#web/lib/format/dates.ts';
import { buildFileName, exportSchedule, fetchWholeSchedule, useSchedule } from './api.ts';
import {
  AMOUNT_COLUMNS,
  describeRate,
  lastMonth,
  listNotes,
  monthChoices,
  RETURN_LABELS,
  RETURN_TITLES,
  type ReturnRow,
  type Schedule,
} from './schema.ts';
import { RETURN_KINDS, type ReturnKind, type ReturnSearch } from './search.ts';

function columnsOf(kind: ReturnKind): Column<ReturnRow>[] {
  return [
    {
      header: 'Name',
      card: 'title',
      className: 'font-semibold',
      cell: (row) => <PersonLink id={row.staff_id} name={row.full_name} />,
    },
    ...AMOUNT_COLUMNS[kind].map(({ key, name }) => ({
      header: name,
      className: AMOUNT,
      cell: (row: ReturnRow) => formatMoney(row[key], row.currency),
    })),
  ];
}

function Totals({ kind, schedule }: { kind: ReturnKind; schedule: Schedule }) {
  return (
    <dl className="grid gap-4 lg:grid-cols-2">
      {schedule.totals.map((total) => (
        <div key={total.currency} className="rounded-sm border border-line bg-raised p-4">
          <dt className="text-sm text-muted">
            {total.currency}, {formatCount(total.people)} {total.people === 1 ? 'person' : 'people'}
          </dt>
          {AMOUNT_COLUMNS[kind].map(({ key, name }) => (
            <dd key={key} className="mt-1 flex justify-between gap-4">
              <span>{name}</span>
              <strong className="tabular-nums">{formatMoney(total[key], total.currency)}</strong>
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

function Sources({ kind, schedule }: { kind: ReturnKind; schedule: Schedule }) {
  return (
    <Panel title="Rates, Sources and Notes">
      <ul className="grid gap-1 text-sm">
        {schedule.rates.map((rate) => (
          <li key={`${rate.kind} ${rate.from_amount}`}>
            {describeRate(rate)}{' '}
            <span className="text-muted">
              From {formatDay(rate.effective_from)}: {rate.source}
            </span>
          </li>
        ))}
      </ul>
      <ul className="mt-4 grid list-disc gap-1 pl-5 text-sm text-muted">
        {listNotes(kind, schedule).map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Panel>
  );
}

type ReturnProps = { kind: ReturnKind; schedule: Schedule };

type PeopleProps = ReturnProps & { page: number; onChange: ChangeSearch<ReturnSearch> };

function People({ kind, schedule: { rows, count }, page, onChange }: PeopleProps) {
  const columns = useMemo(() => columnsOf(kind), [kind]);
  const onPage = usePages({ rows, total: count }, page, PAGE_SIZE, onChange);
  return (
    <div>
      <DataTable
        label={RETURN_TITLES[kind]}
        dense
        columns={columns}
        rows={rows}
        rowId={({ staff_id, currency }) => `${staff_id} ${currency}`}
      />
      <Pager page={page} pageSize={PAGE_SIZE} total={count} onPage={onPage} />
    </div>
  );
}

function Content(props: PeopleProps) {
  const { kind, schedule } = props;
  const { count, open_runs, due_on, month } = schedule;
  return (
    <div className="grid grid-cols-1 gap-5">
      <p>
        {RETURN_TITLES[kind]} for {formatMonths(month, month)}, due{' '}
        <strong>{formatDay(due_on)}</strong>
      </p>
      {open_runs > 0 && (
        <Alert
          title={`${open_runs === 1 ? '1 pay run' : `${open_runs} pay runs`} of this month not locked yet`}
        >
          The schedule contains locked runs only. Lock all runs of the month to complete it.
        </Alert>
      )}
      {count === 0 ? (
        <EmptyNote>No locked pay run ends in this month</EmptyNote>
      ) : (
        <>
          <Totals kind={kind} schedule={schedule} />
          <People {...props} />
        </>
      )}
      <Sources kind={kind} schedule={schedule} />
    </div>
  );
}

type PdfButtonProps = { month: string; kind: ReturnKind };

function PdfButton({ month, kind }: PdfButtonProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const [schedule, { returnPdf }] = await Promise.all([
        fetchWholeSchedule(month, kind),
        import('./return-pdf.ts'),
      ]);
      download(`${buildFileName(month, kind)}.pdf`, await returnPdf(kind, schedule));
    },
    onError: (error) => showError('Error', describeError(error)),
  });
  return (
    <Button variant="secondary" busy={isPending} onClick={() => mutate()}>
      {!isPending && <FileDown aria-hidden="true" className="size-4.5" />} PDF
    </Button>
  );
}

type ReturnsScreenProps = { search: ReturnSearch; onChange: ChangeSearch<ReturnSearch> };

export function ReturnsScreen({ search, onChange }: ReturnsScreenProps) {
  const { month = lastMonth(), kind = 'paye', page = 1 } = search;
  const query = useSchedule(month, kind, page);
  const { data: schedule } = query;
  return (
    <>
      <ScreenHeading title="Statutory Returns">
        {schedule && schedule.count > 0 && (
          <>
            <ExportButton exportRecords={(format) => exportSchedule(month, kind, format)} />
            <PdfButton month={month} kind={kind} />
          </>
        )}
      </ScreenHeading>
      <Tabs
        value={kind}
        onValueChange={(value) =>
          onChange({ kind: RETURN_KINDS.find((each) => each === value), page: undefined })
        }
      >
        <div className="mb-5 flex flex-wrap items-end justify-between gap-4">
          <Field label="Month">
            {(control) => (
              <Select
                {...control}
                value={month}
                onChange={({ target }) => onChange({ month: target.value, page: undefined })}
              >
                {monthChoices(month).map((each) => (
                  <option key={each} value={each}>
                    {formatMonths(`${each}-01`, `${each}-01`)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <TabsList aria-label="Return">
            {RETURN_KINDS.map((each) => (
              <TabsTrigger key={each} value={each}>
                {RETURN_LABELS[each]}
              </TabsTrigger>
            ))}
          </TabsList>
        </div>
        <TabsContent value={kind}>
          <Loaded query={query} loadingText="Loading the return...">
            {(loaded) => <Content {...{ kind, page, onChange }} schedule={loaded} />}
          </Loaded>
        </TabsContent>
      </Tabs>
    </>
  );
}
