// Returns of PAYE and NASSCORP that are owed to the state for a month, the year of each, and the numbers that they name.

import { PdfButton } from '#web/components/form/pdf-button.tsx';
import { ExportButton } from '#web/components/list/list-buttons.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatMonths, today } from '#web/lib/format/dates.ts';
import { buildFileName, exportSchedule, fetchWholeReturn, useReturn } from './api.ts';
import { MonthPanel } from './month-panel.tsx';
import { NumbersPanel } from './numbers-panel.tsx';
import { lastMonth, monthChoices, RETURN_LABELS, yearChoices } from './schema.ts';
import { MORE_TABS, RETURN_KINDS, type ReturnKind, type ReturnSearch } from './search.ts';
import { YearPanel } from './year-panel.tsx';

const TABS = [...RETURN_KINDS, ...MORE_TABS] as const;
const TAB_LABELS = { ...RETURN_LABELS, year: 'Year', numbers: 'Numbers' };

type ChoiceProps = {
  label: string;
  value: string;
  choices: readonly string[];
  nameOf: (choice: string) => string;
  onChoose: (choice: string) => void;
};

function Choice({ label, value, choices, nameOf, onChoose }: ChoiceProps) {
  return (
    <Field label={label}>
      {(control) => (
        <Select {...control} value={value} onChange={({ target }) => onChoose(target.value)}>
          {choices.map((each) => (
            <option key={each} value={each}>
              {nameOf(each)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

type OfMonth = { kind: ReturnKind; month: string };

function Files({ kind, month }: OfMonth) {
  return (
    <>
      <ExportButton exportRecords={(format) => exportSchedule(month, kind, format)} />
      <PdfButton
        name={buildFileName(month, kind)}
        load={async () => {
          const [opened, { returnPdf }] = await Promise.all([
            fetchWholeReturn(month, kind),
            import('./return-pdf.ts'),
          ]);
          return () => returnPdf(kind, opened);
        }}
      />
    </>
  );
}

type ReturnsScreenProps = { search: ReturnSearch; onChange: ChangeSearch<ReturnSearch> };

export function ReturnsScreen({ search, onChange }: ReturnsScreenProps) {
  const { month = lastMonth(), kind = 'paye', tab, page = 1 } = search;
  const year = search.year ?? today().slice(0, 4);
  const query = useReturn(month, kind, page);
  const open = (value: string) =>
    onChange({
      kind: RETURN_KINDS.find((each) => each === value) ?? kind,
      tab: MORE_TABS.find((each) => each === value),
      page: undefined,
    });
  return (
    <>
      <ScreenHeading title="Statutory Returns">
        {tab === undefined && query.data && query.data.schedule.count > 0 && (
          <Files kind={kind} month={month} />
        )}
      </ScreenHeading>
      <Tabs value={tab ?? kind} onValueChange={open}>
        <div className="mb-5 flex flex-wrap items-end justify-between gap-4">
          <TabsList aria-label="Return" className="max-sm:w-full max-sm:auto-cols-auto">
            {TABS.map((each) => (
              <TabsTrigger key={each} value={each} className="max-sm:px-1.5">
                {TAB_LABELS[each]}
              </TabsTrigger>
            ))}
          </TabsList>
          {tab === undefined && (
            <Choice
              label="Month"
              value={month}
              choices={monthChoices(month)}
              nameOf={(each) => formatMonths(`${each}-01`, `${each}-01`)}
              onChoose={(chosen) => onChange({ month: chosen, page: undefined })}
            />
          )}
          {tab === 'year' && (
            <Choice
              label="Year"
              value={year}
              choices={yearChoices(year)}
              nameOf={(each) => each}
              onChoose={(chosen) => onChange({ year: chosen, page: undefined })}
            />
          )}
        </div>
        <TabsContent value={tab ?? kind}>
          {tab === undefined && (
            <Loaded query={query} loadingText="Loading the return...">
              {(opened) => <MonthPanel {...{ kind, month, opened, page, onChange }} />}
            </Loaded>
          )}
          {tab === 'year' && <YearPanel {...{ year, page, onChange }} />}
          {tab === 'numbers' && <NumbersPanel {...{ page, onChange }} />}
        </TabsContent>
      </Tabs>
    </>
  );
}
