import { useState } from 'react';
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { mayDo } from '#shared/permissions.ts';
import { createFields } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { ScrollRegion } from '#web/components/ui/panel.tsx';
import { parseWholeNumber, wholeNumberField } from '#web/lib/form-fields/whole-number-field.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { CALL_PRIORITY_LABELS } from '#web/lib/vocabulary/dispatch.ts';
import { type CallGoals, useCallGoals, useSaveGoals } from './dispatch-api.ts';

const minutes = (name: string, maximum: number) =>
  wholeNumberField({ name, required: 'Enter the minutes', minimum: 1, maximum });

const MOST = limits.CALL_GOALS_ON_SCENE_MINUTES_MAX;

const goalsSchema = z
  .object({
    reply: minutes('The unit’s reply', limits.CALL_GOALS_REPLY_MINUTES_MAX),
    answer: minutes('Accepted', MOST),
    enRoute: minutes('On the way', MOST),
    onScene: minutes('On scene', MOST),
  })
  .superRefine((form, { addIssue }) => {
    const order = ['reply', 'answer', 'enRoute', 'onScene'] as const;
    for (const [place, name] of order.entries()) {
      const before = order[place - 1];
      if (before && parseWholeNumber(form[name]) < parseWholeNumber(form[before])) {
        addIssue({ code: 'custom', path: [name], message: 'Not before the step before it' });
      }
    }
  });

type GoalsDialogProps = { goals: CallGoals; onClose: () => void };

function GoalsDialog({ goals, onClose }: GoalsDialogProps) {
  const save = useSaveGoals();
  return (
    <EntryDialog
      title={`Goals: ${CALL_PRIORITY_LABELS[goals.priority]}`}
      description="Minutes from the call. They apply to calls from now on."
      schema={goalsSchema}
      defaultValues={{
        reply: String(goals.reply_minutes),
        answer: String(goals.answer_minutes),
        enRoute: String(goals.en_route_minutes),
        onScene: String(goals.on_scene_minutes),
      }}
      submitLabel="Save Goals"
      success="Goals saved"
      failure="The goals were not saved"
      save={(form) =>
        save.mutateAsync({
          id: goals.id,
          reply_minutes: parseWholeNumber(form.reply),
          answer_minutes: parseWholeNumber(form.answer),
          en_route_minutes: parseWholeNumber(form.enRoute),
          on_scene_minutes: parseWholeNumber(form.onScene),
        })
      }
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <div className="grid gap-5 sm:grid-cols-2">
            {field.count('reply', 'A unit that is asked', {
              hint: 'Then it is taken off, and the next is proposed.',
              wide: true,
            })}
            {field.count('answer', 'Accepted')}
            {field.count('enRoute', 'On the way')}
            {field.count('onScene', 'On scene')}
          </div>
        );
      }}
    </EntryDialog>
  );
}

const CELL = 'px-2 py-2.5 text-right tabular-nums lg:px-3';

/** Minutes of each priority, which managers change. */
export function GoalsTab() {
  const { roles } = useAuth();
  const [opened, setOpened] = useState<CallGoals>();
  const mayChange = mayDo(roles, 'call_goals', 'update');
  return (
    <>
      <p className="mb-3 text-sm text-muted">
        Minutes from the call. A call keeps the goals of the time when it came in.
      </p>
      <Loaded
        query={useCallGoals()}
        loadingText="Loading the goals..."
        missing="The goals could not be loaded"
      >
        {(all) => (
          <ScrollRegion label="Goals by priority">
            <table className="w-full min-w-[27rem] rounded-sm border border-line bg-raised text-sm">
              <thead>
                <tr className="border-b border-line text-left">
                  <th className="px-2 py-2.5 lg:px-3">Priority</th>
                  <th className={CELL}>A unit answers</th>
                  <th className={CELL}>Accepted</th>
                  <th className={CELL}>On the way</th>
                  <th className={CELL}>On scene</th>
                  {mayChange && (
                    <th className={CELL}>
                      <span className="sr-only">Actions</span>
                    </th>
                  )}
                </tr>
              </thead>
              <tbody className="divide-y divide-line">
                {all.map((goals) => (
                  <tr key={goals.id}>
                    <th scope="row" className="px-2 py-2.5 text-left lg:px-3">
                      {CALL_PRIORITY_LABELS[goals.priority]}
                    </th>
                    <td className={CELL}>{goals.reply_minutes}&nbsp;min</td>
                    <td className={CELL}>{goals.answer_minutes}&nbsp;min</td>
                    <td className={CELL}>{goals.en_route_minutes}&nbsp;min</td>
                    <td className={CELL}>{goals.on_scene_minutes}&nbsp;min</td>
                    {mayChange && (
                      <td className="py-1 text-right">
                        <Button
                          variant="ghost"
                          className="px-2"
                          aria-label={`Change: ${CALL_PRIORITY_LABELS[goals.priority]}`}
                          onClick={() => setOpened(goals)}
                        >
                          Change
                        </Button>
                      </td>
                    )}
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        )}
      </Loaded>
      {opened && <GoalsDialog goals={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
