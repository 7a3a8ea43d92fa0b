import { Link } from '@tanstack/react-router';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { type StepState, useSetup } from './api.ts';
import { StepRow } from './step-row.tsx';
import { nextStep, progressText, STEP_GROUPS, STEP_TEXTS } from './steps.ts';

function Progress({ state }: { state: readonly StepState[] }) {
  const done = state.filter((one) => one.done).length;
  return (
    <div className="mb-2">
      <p className="font-semibold tabular-nums">{progressText(state)}</p>
      <div aria-hidden="true" className="mt-2 h-2 overflow-hidden rounded-full bg-sunken">
        <div
          className="h-full rounded-full bg-success"
          style={{ width: `${(done / Math.max(state.length, 1)) * 100}%` }}
        />
      </div>
    </div>
  );
}

function Steps({ state }: { state: readonly StepState[] }) {
  const next = nextStep(state);
  return (
    <>
      <Progress state={state} />
      {STEP_GROUPS.map(({ title, steps }) => (
        <section key={title} aria-label={title} className="mt-5">
          <h4 className="font-semibold text-muted">{title}</h4>
          <ol className="divide-y divide-line">
            {steps
              .flatMap((step) => state.filter((one) => one.step === step))
              .map((one) => (
                <StepRow key={one.step} state={one} all={state} isNext={one === next} />
              ))}
          </ol>
        </section>
      ))}
    </>
  );
}

/** All steps from an empty database to a working company. */
export function SetupGuide() {
  return (
    <Panel title="Set up your company">
      <p className="mb-4 max-w-prose text-muted">
        Each step is ticked off by itself once its records exist. What you leave for later stays
        under System, Setup Guide.
      </p>
      <Loaded query={useSetup()} loadingText="Loading the setup guide...">
        {(state) => <Steps state={state} />}
      </Loaded>
    </Panel>
  );
}

/** For a dashboard that has more to show: how far the setup is, and its next step. */
export function SetupSummary() {
  return (
    <Panel title="Setup">
      <Loaded query={useSetup()} loadingText="Loading the setup guide...">
        {(state) => {
          const next = nextStep(state);
          const { title, text, target } = next ? STEP_TEXTS[next.step] : {};
          return (
            <div className="grid gap-4 sm:grid-cols-[1fr_auto] sm:items-end">
              <div className="min-w-0">
                <Progress state={state} />
                {title && (
                  <p className="text-sm text-muted">
                    Next: <span className="font-semibold text-ink">{title}</span>. {text}
                  </p>
                )}
              </div>
              <div className="flex flex-wrap gap-3 max-sm:*:flex-1">
                <Link to="/admin/system/setup" className={buttonStyles({ variant: 'secondary' })}>
                  All Steps
                </Link>
                {target && (
                  <Link to={target.to} search={target.search ?? {}} className={buttonStyles()}>
                    {target.label}
                  </Link>
                )}
              </div>
            </div>
          );
        }}
      </Loaded>
    </Panel>
  );
}
