import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed, Clock3 } from 'lucide-react';
import { Fragment } from 'react';
import { undoAction } from '#web/components/form/undo-action.ts';
import { useSave } from '#web/components/form/use-save.ts';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { formatInstantDay } from '#web/lib/format/dates.ts';
import { type Mark, type StepName, type StepState, useMarkStep } from './api.ts';
import { countText, missingBefore, STEP_TEXTS } from './steps.ts';

const LOOKS = {
  done: { Icon: CircleCheck, colour: 'text-success', word: 'Done' },
  later: { Icon: Clock3, colour: 'text-muted', word: 'Left for later' },
  open: { Icon: CircleDashed, colour: 'text-muted', word: 'Open' },
};

const TOASTS = { confirmed: 'confirmed', later: 'left for later', open: 'open again' };

function useMark({ step, mark: before }: StepState) {
  const { mutateAsync } = useMarkStep();
  const { title } = STEP_TEXTS[step];
  const { save, busy } = useSave({ failure: 'Not marked' });
  const set = (mark: Mark) =>
    void save(async () => {
      await mutateAsync({ step, mark });
      const back = before === 'confirmed' || before === 'later' ? before : null;
      showSuccess(
        `${title}: ${TOASTS[mark ?? 'open']}`,
        undefined,
        undoAction(() => mutateAsync({ step, mark: back })),
      );
    });
  return { set, busy };
}

/** Links to the steps that must be done before. */
function WaitsFor({ steps }: { steps: readonly StepName[] }) {
  return (
    <p className="text-sm">
      First:{' '}
      {steps.map((step, index) => {
        const { title, target } = STEP_TEXTS[step];
        return (
          <Fragment key={step}>
            {index > 0 && ', '}
            {target ? (
              <Link
                to={target.to}
                search={target.search ?? {}}
                className="underline decoration-accent/45 underline-offset-4 hover:decoration-accent"
              >
                {title}
              </Link>
            ) : (
              title
            )}
          </Fragment>
        );
      })}
    </p>
  );
}

/** Why a step counts as done, or since when it waits. */
function detailOf(state: StepState): string | undefined {
  const { done, mark, marked_by, marked_at } = state;
  const counted = countText(state);
  if (done && counted) return counted;
  if (mark === null || (done && mark === 'later')) return counted;
  const words = mark === 'confirmed' ? 'Confirmed' : 'Left for later';
  const by = marked_by === null ? '' : ` by ${marked_by}`;
  return `${words}${by}${marked_at === null ? '' : `, ${formatInstantDay(marked_at)}`}`;
}

type StepRowProps = { state: StepState; all: readonly StepState[]; isNext: boolean };

export function StepRow({ state, all, isNext }: StepRowProps) {
  const { step, done, mark } = state;
  const { title, text, target, confirm } = STEP_TEXTS[step];
  const { set, busy } = useMark(state);
  const isLater = !done && mark === 'later';
  const { Icon, colour, word } = LOOKS[done ? 'done' : isLater ? 'later' : 'open'];
  const waits = done ? [] : missingBefore(step, all);
  const detail = detailOf(state);
  const isFolded = done || isLater;
  return (
    <li
      aria-current={isNext ? 'step' : undefined}
      className="flex flex-wrap items-start gap-x-4 gap-y-3 py-3"
    >
      <Icon aria-hidden="true" className={`mt-0.5 size-5 shrink-0 ${colour}`} />
      <div className="min-w-0 flex-1 basis-52">
        <p className={done ? 'text-muted' : 'font-semibold'}>
          {title}
          <span className="sr-only">: {word}</span>
        </p>
        {!isFolded && <p className="text-sm text-muted">{text}</p>}
        {detail && <p className="text-sm text-muted">{detail}</p>}
        {!isFolded && waits.length > 0 && <WaitsFor steps={waits} />}
      </div>
      <div className="flex flex-wrap gap-2 max-lg:w-full max-lg:pl-9 lg:justify-end">
        {target && (!isFolded || (done && confirm)) && (
          <Link
            to={target.to}
            search={target.search ?? {}}
            aria-label={`${done ? 'Open' : target.label}: ${title}`}
            className={buttonStyles({
              variant: isNext ? 'primary' : done ? 'ghost' : 'secondary',
            })}
          >
            {done ? 'Open' : target.label}
          </Link>
        )}
        {confirm && !isFolded && (
          <Button
            variant={isNext && !target ? 'primary' : 'secondary'}
            busy={busy}
            aria-label={`${confirm}: ${title}`}
            onClick={() => set('confirmed')}
          >
            {confirm}
          </Button>
        )}
        {done && mark === 'confirmed' && (
          <Button
            variant="ghost"
            busy={busy}
            aria-label={`Undo: ${title}`}
            onClick={() => set(null)}
          >
            Undo
          </Button>
        )}
        {isLater && (
          <Button
            variant="ghost"
            busy={busy}
            aria-label={`Take up: ${title}`}
            onClick={() => set(null)}
          >
            Take Up
          </Button>
        )}
        {!done && !isLater && (
          <Button
            variant="ghost"
            busy={busy}
            aria-label={`Leave for later: ${title}`}
            onClick={() => set('later')}
          >
            Later
          </Button>
        )}
      </div>
    </li>
  );
}
