// Stands in for a screen while it is loaded: of the whole page, or inside a portal of its own room.
import { Loading } from '#web/components/ui/loading.tsx';
import { useIsInMain } from './main.tsx';

export function LoadingScreen() {
  return <Loading className={useIsInMain() ? undefined : 'min-h-dvh'} />;
}
