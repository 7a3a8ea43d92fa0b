// The book of a site: the lines of a day or a month, who is inside, which keys are out.
import { Strikethrough } from 'lucide-react';
import { lazy, useId, useState } from 'react';
import { useSave } from '#web/components/form/use-save.ts';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { DayFilter } from '#web/components/list/day-filter.tsx';
import { SearchField } from '#web/components/list/filters.tsx';
import { ExportButton, PrintButton } from '#web/components/list/list-buttons.tsx';
import { Pager } from '#web/components/list/pager.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { Select } from '#web/components/ui/select.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { isoDay } from '#web/lib/format/date-patterns.ts';
import { formatDay, today } from '#web/lib/format/dates.ts';
import { wallClock } from '#web/lib/format/wall-clock.ts';
import { LINE_KIND_LABELS, LINE_KINDS } from '#web/lib/vocabulary/book.ts';
import { type Option, toOptions } from '#web/lib/vocabulary/options.ts';
import {
  type BookFilters,
  exportBook,
  LINES_A_PAGE,
  type OfficeLine,
  useBookLines,
  useBookSite,
  useStrikeLine,
} from './book-api.ts';
import { BookLineRow, describeLine, mayStrike } from './book-line.tsx';
import { ClientPage } from './client-page.tsx';
import { OpenParts } from './open-book.tsx';
import { downloadGateNotice } from './page-api.ts';
import { BOOK_SPANS, type BookSearch } from './search.ts';

const StrikeDialog = lazy(async () => ({
  default: (await import('./strike-dialog.tsx')).StrikeDialog,
}));

const SPAN_LABELS: Record<(typeof BOOK_SPANS)[number], string> = {
  1: 'One day',
  7: '7 days',
  31: '31 days',
};

type ChoiceProps = {
  label: string;
  value: string;
  options: readonly Option[];
  onChoose: (value: string) => void;
};

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const id = useId();
  return (
    <div className="min-w-36 max-lg:flex-1">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Select id={id} value={value} onChange={({ target }) => onChoose(target.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </Select>
    </div>
  );
}

/** @returns the lines of each day of the site, in the order of the lines */
function byDay(lines: readonly OfficeLine[], zone: string): [day: string, lines: OfficeLine[]][] {
  const days = new Map<string, OfficeLine[]>();
  for (const line of lines) {
    const day = isoDay(wallClock(line.at, zone));
    const known = days.get(day);
    if (known) known.push(line);
    else days.set(day, [line]);
  }
  return [...days];
}

type LinesProps = { lines: OfficeLine[]; zone: string; onStrike: (line: OfficeLine) => void };

function Lines({ lines, zone, onStrike }: LinesProps) {
  if (lines.length === 0) {
    return (
      <Card>
        <p className="px-4 py-10 text-center text-muted">No lines here.</p>
      </Card>
    );
  }
  return (
    <div className="grid gap-5">
      {byDay(lines, zone).map(([day, ofDay]) => (
        <Card key={day}>
          <h3 className="border-b border-line px-4 py-3 font-display text-xl sm:px-5">
            {formatDay(day)}
          </h3>
          <ul aria-label={formatDay(day)} className="divide-y divide-line">
            {ofDay.map((line) => (
              <BookLineRow
                key={`${line.source} ${line.id} ${line.step}`}
                line={line}
                timezone={zone}
                note={
                  <>
                    {line.post_name && `, ${line.post_name}`}
                    {line.struck_by && `, struck through by ${line.struck_by}`}
                  </>
                }
                action={
                  mayStrike(line) && (
                    <Button
                      variant="ghost"
                      size="icon"
                      title="Strike through"
                      aria-label={`Strike through ${describeLine(line)}`}
                      onClick={() => onStrike(line)}
                    >
                      <Strikethrough aria-hidden="true" className="size-4.5" />
                    </Button>
                  )
                }
              />
            ))}
          </ul>
        </Card>
      ))}
    </div>
  );
}

type BookProps = {
  site: { id: string; name: string; timezone: string };
  search: BookSearch;
  onChange: ChangeSearch<BookSearch>;
};

function SiteBookOf({ site, search, onChange }: BookProps) {
  const { page = 1, span = 1, kind } = search;
  const zone = site.timezone;
  const filters: BookFilters = {
    ...{ siteId: site.id, day: search.day ?? today(), span, kind },
    search: search.q ?? '',
  };
  const query = useBookLines(filters, page);
  const strike = useStrikeLine();
  const notice = useSave({ success: 'Notice downloaded', failure: 'No notice' });
  const [struck, setStruck] = useState<OfficeLine>();
  const filter = (change: Partial<BookSearch>) => onChange({ ...change, page: undefined });
  return (
    <>
      <ScreenHeading
        title="Book of the Post"
        subtitle={`${site.name}: what guards wrote, who came, and what was recorded.`}
      >
        <ExportButton exportRecords={(format) => exportBook(filters, zone, format)} />
        <PrintButton />
        <Button
          variant="secondary"
          busy={notice.busy}
          onClick={() => void notice.save(() => downloadGateNotice(site.id))}
        >
          Notice for the Gate
        </Button>
      </ScreenHeading>
      <div className="mb-5 flex flex-wrap items-center gap-3 print:hidden">
        <SearchField
          label="Search word, plate, name"
          value={filters.search}
          onSearch={(text) => filter({ q: text || undefined })}
        />
        <Choice
          label="Kind"
          value={kind ?? ''}
          options={[['', 'All kinds'], ...toOptions(LINE_KINDS, LINE_KIND_LABELS)]}
          onChoose={(chosen) => filter({ kind: LINE_KINDS.find((each) => each === chosen) })}
        />
        <Choice
          label="Period"
          value={String(span)}
          options={BOOK_SPANS.map((each) => [String(each), SPAN_LABELS[each]])}
          onChoose={(chosen) =>
            filter({ span: BOOK_SPANS.find((each) => String(each) === chosen) })
          }
        />
        <DayFilter
          label={span === 1 ? 'Day' : 'Until'}
          value={filters.day}
          onChange={(day) => filter({ day })}
        />
      </div>
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[3fr_2fr] lg:grid-rows-[auto_1fr]">
        <div className="min-w-0 lg:row-span-2">
          <Loaded
            query={query}
            loadingText="Loading the book..."
            missing="The book could not be loaded"
          >
            {(lines) => (
              <>
                <Lines lines={lines} zone={zone} onStrike={setStruck} />
                <Pager
                  page={page}
                  pageSize={LINES_A_PAGE}
                  total={lines[0]?.total ?? 0}
                  noun="lines"
                  onPage={(next) => onChange({ page: next })}
                />
              </>
            )}
          </Loaded>
        </div>
        {span === 1 && (
          // In one column above the many lines of a day, and below who is inside.
          <div className="min-w-0 max-lg:-order-1">
            <ClientPage
              key={filters.day}
              page={{ siteId: site.id, day: filters.day }}
              zone={zone}
            />
          </div>
        )}
        <OpenParts siteId={site.id} zone={zone} />
      </div>
      {struck && (
        <LazyPart
          fallback={<Opening title="Strike Through" />}
          onClose={() => setStruck(undefined)}
        >
          <StrikeDialog
            line={describeLine(struck)}
            strike={(reason) => strike.mutateAsync({ line: struck, reason })}
            onClose={() => setStruck(undefined)}
          />
        </LazyPart>
      )}
    </>
  );
}

type SiteBookScreenProps = Omit<BookProps, 'site'> & { siteId: string };

export function SiteBookScreen({ siteId, ...rest }: SiteBookScreenProps) {
  const query = useBookSite(siteId);
  return (
    <Loaded query={query} loadingText="Loading the book...">
      {(site) =>
        site ? (
          <SiteBookOf site={site} {...rest} />
        ) : (
          <Alert title="There is no such site">The site was deleted, or you may not see it.</Alert>
        )
      }
    </Loaded>
  );
}
