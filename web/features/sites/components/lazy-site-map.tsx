// The map, loaded when the first form is opened: its outline of the country is larger than the screen around it.
import { type ComponentProps, lazy } from 'react';
import { LatePart } from '#web/components/layout/late-part.tsx';
import { Loading } from '#web/components/ui/loading.tsx';

const SiteMap = lazy(async () => ({ default: (await import('./site-map.tsx')).SiteMap }));

export function LazySiteMap(props: ComponentProps<typeof SiteMap>) {
  return (
    <LatePart fallback={<Loading className="h-72 sm:h-80" />}>
      <SiteMap {...props} />
    </LatePart>
  );
}
