import { formatCount } from '#shared/count.ts';
import { ListButtons } from '#web/components/list/list-buttons.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import type { TableFormat } from '#web/lib/files/write-table.ts';
import { EXPORT_LIMIT, exportEntries, exportEvents } from './api.ts';
import { EntryList } from './entry-list.tsx';
import { EventList } from './event-list.tsx';
import type { ActivitySearch } from './schema.ts';

type ActivityBoardProps = { search: ActivitySearch; onChange: ChangeSearch<ActivitySearch> };

export function ActivityBoard({ search, onChange }: ActivityBoardProps) {
  const { view, person, table, rows, action, row, event, from, to } = search;
  const exportRecords = (format: TableFormat) =>
    view === 'security'
      ? exportEvents({ person, event, from, to }, format)
      : exportEntries({ person, table, rows, action, row, from, to }, format);
  return (
    <>
      <ScreenHeading
        title="Activity"
        subtitle={`Who did what, and when. A CSV file contains the newest ${formatCount(EXPORT_LIMIT)} entries.`}
      >
        <ListButtons exportRecords={exportRecords} />
      </ScreenHeading>
      <Tabs
        value={view ?? 'changes'}
        onValueChange={(value) =>
          onChange({ view: value === 'security' ? value : undefined, before: undefined })
        }
      >
        <TabsList aria-label="Changes or security events" className="mb-6 sm:max-w-md">
          <TabsTrigger value="changes">Changes</TabsTrigger>
          <TabsTrigger value="security">Security Events</TabsTrigger>
        </TabsList>
        <TabsContent value="changes">
          <EntryList search={search} onChange={onChange} />
        </TabsContent>
        <TabsContent value="security">
          <EventList search={search} onChange={onChange} />
        </TabsContent>
      </Tabs>
    </>
  );
}
