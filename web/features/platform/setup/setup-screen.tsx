import { Breadcrumbs } from '#web/components/layout/breadcrumbs.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { SetupGuide } from './setup-guide.tsx';

/** The guide also once the dashboard no longer shows it. */
export function SetupScreen() {
  return (
    <>
      <Breadcrumbs trail={[{ label: 'System', to: '/admin/system' }]} current="Setup Guide" />
      <ScreenHeading
        title="Setup Guide"
        subtitle="From an empty database to the first published week and the first paid month."
      />
      <SetupGuide />
    </>
  );
}
