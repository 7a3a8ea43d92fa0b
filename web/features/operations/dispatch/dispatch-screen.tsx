import { useState } from 'react';
import { mayDo } from '#shared/permissions.ts';
import { mayDispatch } from '#shared/screens.ts';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import { useServerNow } from '#web/lib/clock/use-server-now.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { CallDialog } from './call-dialog.tsx';
import { CallForm } from './call-form.tsx';
import { CallList } from './call-list.tsx';
import { useCalls } from './dispatch-api.ts';
import { GoalsTab } from './goals-form.tsx';
import { PanelsTab } from './panels-tab.tsx';
import { DISPATCH_TABS, type DispatchSearch } from './search.ts';
import { UnitForm } from './unit-form.tsx';
import { UnitsTab } from './units-tab.tsx';

type DispatchScreenProps = { search: DispatchSearch; onChange: ChangeSearch<DispatchSearch> };

const LABELS = { calls: 'Calls', units: 'Units', goals: 'Goals', panels: 'Panels' };
/** Goals are changed, not added. */
const NEW = { calls: 'New Call', units: 'New Unit', goals: undefined, panels: 'Add Panel' };

type CallsTabProps = { isDispatcher: boolean; onOpen: (id: string) => void };

function CallsTab({ isDispatcher, onOpen }: CallsTabProps) {
  const query = useCalls();
  const now = useServerNow(1_000, Boolean(query.data?.open.length));
  return (
    <Loaded
      query={query}
      loadingText="Loading the calls..."
      missing="The calls could not be loaded"
    >
      {({ open, closed }) =>
        open.length + closed.length > 0 ? (
          <CallList open={open} closed={closed} now={now} onOpen={onOpen} />
        ) : (
          <EmptyNote>
            {isDispatcher
              ? 'No call yet. Add your response units under Units, and take the first call with New Call.'
              : 'No call for service at your sites yet.'}
          </EmptyNote>
        )
      }
    </Loaded>
  );
}

export function DispatchScreen({ search, onChange }: DispatchScreenProps) {
  const { open: opened } = search;
  const { roles } = useAuth();
  const isDispatcher = mayDispatch(roles);
  const mayAddPanels = mayDo(roles, 'call_goals', 'update');
  const tab = (isDispatcher && search.tab) || 'calls';
  const [isNew, setNew] = useState(false);
  const open = (id: string | undefined) => onChange({ open: id });
  return (
    <>
      <ScreenHeading title="Dispatch" subtitle="Calls for service and the units that answer them.">
        {isDispatcher && NEW[tab] && (tab !== 'panels' || mayAddPanels) && (
          <Button onClick={() => setNew(true)}>{NEW[tab]}</Button>
        )}
      </ScreenHeading>
      {!isDispatcher && <CallsTab isDispatcher={isDispatcher} onOpen={open} />}
      {isDispatcher && (
        <Tabs
          value={tab}
          onValueChange={(value) => {
            const wanted = DISPATCH_TABS.find((each) => each === value);
            onChange({ tab: wanted === 'calls' ? undefined : wanted });
          }}
        >
          <TabsList aria-label="Dispatch" className="mb-5">
            {DISPATCH_TABS.map((each) => (
              <TabsTrigger key={each} value={each}>
                {LABELS[each]}
              </TabsTrigger>
            ))}
          </TabsList>
          <TabsContent value="calls">
            <CallsTab isDispatcher={isDispatcher} onOpen={open} />
          </TabsContent>
          <TabsContent value="units">
            <UnitsTab />
          </TabsContent>
          <TabsContent value="goals">
            <GoalsTab />
          </TabsContent>
          <TabsContent value="panels">
            <PanelsTab isNew={isNew} onNewClose={() => setNew(false)} />
          </TabsContent>
        </Tabs>
      )}
      {isNew && tab === 'calls' && <CallForm onSaved={open} onClose={() => setNew(false)} />}
      {isNew && tab === 'units' && <UnitForm onClose={() => setNew(false)} />}
      {opened && <CallDialog key={opened} id={opened} onClose={() => open(undefined)} />}
    </>
  );
}
