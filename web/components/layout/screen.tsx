// The main part of a page. What stands in for a screen inside it is a room of it, and no second one.
// Stands in for a screen while it is loaded: of the whole page, or inside a portal of its own room.
// A whole screen that could not be shown: why, and a button to try again. Inside a portal it takes that screen's room only.
// Stands in for a screen that could not be shown.

import { type ComponentProps, createContext, type ReactNode, use } from 'react';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { cn } from '#web/lib/cn.ts';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { isMissingFile } from '#web/lib/errors/missing-file.ts';
import { useMissingFile } from './missing-file.tsx';

const InMain = createContext(false);

export function Main(props: ComponentProps<'main'>) {
  return (
    <InMain value={true}>
      <main {...props} />
    </InMain>
  );
}

/** Whether this is drawn inside the main part of a page, between its header and its edges, and not as the whole page. */
export const useIsInMain = () => use(InMain);

export function LoadingScreen() {
  return <Loading className={useIsInMain() ? undefined : 'min-h-dvh'} />;
}

type FailureProps = {
  title: string;
  message: string;
  retryLabel?: string;
  busy?: boolean;
  onRetry: () => void;
  /** Another way on, beside trying again. */
  otherAction?: ReactNode;
};

export function Failure(props: FailureProps) {
  const { title, message, retryLabel = 'Try again', busy, onRetry, otherAction } = props;
  const isInMain = useIsInMain();
  const Room = isInMain ? 'div' : Main;
  return (
    <Room
      className={cn(
        'mx-auto grid max-w-xl place-items-center',
        isInMain ? 'sm:py-12' : 'min-h-dvh px-4',
      )}
    >
      <Alert
        tone="danger"
        title={title}
        className="w-full"
        action={
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" busy={busy} onClick={onRetry}>
              {retryLabel}
            </Button>
            {otherAction}
          </div>
        }
      >
        {message}
      </Alert>
    </Room>
  );
}

function MissingScreen({ error }: { error: Error }) {
  const { title, message, isReloading, reload } = useMissingFile(
    error,
    'Reload the page to open it.',
  );
  return (
    <Failure
      title={title}
      message={message}
      retryLabel="Reload page"
      busy={isReloading}
      onRetry={reload}
    />
  );
}

type ScreenFailureProps = {
  /** Said where it is not a file of the app that is missing. */
  title?: string;
  error: unknown;
  onRetry: () => void;
};

export function ScreenFailure(props: ScreenFailureProps) {
  const { title = 'This screen could not be shown', error, onRetry } = props;
  if (isMissingFile(error)) return <MissingScreen error={error} />;
  return <Failure title={title} message={messageOf(error)} onRetry={onRetry} />;
}
