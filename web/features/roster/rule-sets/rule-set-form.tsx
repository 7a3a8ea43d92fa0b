import type { UseFormReturn } from 'react-hook-form';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { type OpenedVersion, VersionDialog } from '#web/components/records/version-dialog.tsx';
import { Checkbox } from '#web/components/ui/checkbox.tsx';
import { Label } from '#web/components/ui/field.tsx';
import { today } from '#web/lib/format/dates.ts';
import { ruleSets } from './api.ts';
import {
  FIGURE_NAMES,
  FIGURES,
  type Figure,
  type RuleSet,
  type RuleSetForm,
  ruleSetSchema,
  toForm,
  WISH_NAMES,
  WISHES,
} from './schema.ts';

type FormProps = { form: UseFormReturn<RuleSetForm> };

/** Days and nights are named by the figure itself. */
const labelOf = (name: Figure) =>
  FIGURES[name].unit === 'h' ? `${FIGURES[name].label} (h)` : FIGURES[name].label;

function HardRules({ form }: FormProps) {
  const field = createFields(form);
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-3 font-semibold">Hard rules</legend>
      {FIGURE_NAMES.map((name) => (
        <fieldset
          key={name}
          aria-label={FIGURES[name].label}
          className="grid gap-3 sm:grid-cols-[13rem_1fr]"
        >
          {field.text(`figures.${name}`, labelOf(name), { inputMode: 'decimal' })}
          {field.text(`sources.${name}`, 'Source', { placeholder: 'Where this figure comes from' })}
        </fieldset>
      ))}
      <div className="sm:max-w-52">
        {field.text('night_at', 'A night is worked at', {
          type: 'time',
          hint: 'A shift under way at this time counts as a night',
        })}
      </div>
    </fieldset>
  );
}

function Wishes({ form }: FormProps) {
  const weights = form.watch('weights');
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-semibold">Wishes</legend>
      <p className="mb-2 text-sm text-muted">
        How much each counts when the roster is filled: 0 not at all, 100 most.
      </p>
      {WISH_NAMES.map((name) => (
        <div
          key={name}
          className="grid grid-cols-[1fr_3rem] items-center gap-x-4 sm:grid-cols-[1fr_14rem_3rem]"
        >
          <Label htmlFor={`weight-${name}`}>{WISHES[name]}</Label>
          <input
            id={`weight-${name}`}
            type="range"
            min={0}
            max={100}
            step={5}
            className="h-11 w-full cursor-pointer accent-(--primary) max-sm:order-last max-sm:col-span-2"
            {...form.register(`weights.${name}`, { valueAsNumber: true })}
          />
          <output htmlFor={`weight-${name}`} className="text-right font-semibold tabular-nums">
            {weights[name]}
          </output>
        </div>
      ))}
    </fieldset>
  );
}

const APPROVALS = {
  bids_approve_themselves: 'Bids for open shifts that break no rule are approved by themselves',
  swaps_approve_themselves: 'Swaps that break no rule are approved by themselves',
} as const;

function Approvals({ form }: FormProps) {
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">Bids and swaps</legend>
      {(['bids_approve_themselves', 'swaps_approve_themselves'] as const).map((name) => (
        <div key={name} className="relative flex min-h-11 items-center gap-3">
          <Checkbox id={name} {...form.register(name)} />
          <label htmlFor={name}>{APPROVALS[name]}</label>
        </div>
      ))}
    </fieldset>
  );
}

export function RuleSetDialog(opened: OpenedVersion<RuleSet>) {
  return (
    <VersionDialog
      {...opened}
      noun="rule set"
      records={ruleSets}
      description={
        opened.isNew
          ? 'It starts from the rules of today and replaces them from its first day.'
          : 'Changes apply to what is planned from now on. What is already assigned stays.'
      }
      schema={ruleSetSchema}
      toForm={toForm}
    >
      {(form) => {
        const field = createFields(form);
        const isPast = form.watch('effective_from') < today();
        return (
          <div className="grid gap-8">
            <FieldGrid>
              {field.text('name', 'Name', { placeholder: 'Liberia 2027' })}
              {field.day('effective_from', 'In Force From', {
                hint:
                  opened.isNew && isPast ? 'This day is over: the rules apply at once' : undefined,
              })}
            </FieldGrid>
            <HardRules form={form} />
            <Wishes form={form} />
            <Approvals form={form} />
          </div>
        );
      }}
    </VersionDialog>
  );
}
