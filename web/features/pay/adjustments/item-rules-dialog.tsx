import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { PAY_ITEM_RULES_KIND } from '#shared/database.values.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { useUndoableDelete } from '#web/components/form/undo-delete.ts';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { IconButton } from '#web/components/ui/icon-button.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import { ADJUSTMENT_KIND_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import {
  describeItemRule,
  emptyItemRule,
  type ItemRule,
  type ItemRuleForm,
  itemRuleSchema,
  MONTH_OPTIONS,
} from './item-rule-schema.ts';
import { itemRules, useItemRules } from './items-api.ts';

function RuleFields(form: UseFormReturn<ItemRuleForm>) {
  const field = createFields(form);
  const isSeverance = form.watch('kind') === 'severance';
  return (
    <FieldGrid>
      {field.select('kind', 'Kind', toOptions(PAY_ITEM_RULES_KIND, ADJUSTMENT_KIND_LABELS))}
      {field.day('effective_from', 'In Force From')}
      {field.text('months', 'Months of Basic Pay', {
        inputMode: 'decimal',
        hint: isSeverance ? 'For each year of service. 0 ends it.' : 'For a whole year. 0 ends it.',
      })}
      {!isSeverance && field.select('paid_in', 'Paid In', MONTH_OPTIONS)}
      {field.count('least_service_months', 'Months of Service Before It')}
      {field.select('taxable', 'Income Tax', [
        ['yes', 'Taxed'],
        ['no', 'Not taxed'],
      ])}
      {field.text('source', 'Source', {
        hint: 'The law, agreement or contract that names this figure.',
        wide: true,
      })}
    </FieldGrid>
  );
}

function RuleRow({ rule, onDelete }: { rule: ItemRule; onDelete: (id: string) => void }) {
  const name = `${ADJUSTMENT_KIND_LABELS[rule.kind]} from ${formatDay(rule.effective_from)}`;
  return (
    <li className="flex items-center justify-between gap-3 py-2">
      <div className="min-w-0">
        <p className="font-semibold">{name}</p>
        <p>{describeItemRule(rule)}</p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">{rule.source}</p>
      </div>
      <IconButton
        variant="danger-ghost"
        title="Delete"
        label={`Delete ${name}`}
        Icon={Trash2}
        onClick={() => onDelete(rule.id)}
      />
    </li>
  );
}

/** The dated rules of severance and thirteenth month. */
export function ItemRulesDialog({ onClose }: { onClose: () => void }) {
  const [isAdding, setAdding] = useState(false);
  const query = useItemRules();
  const save = itemRules.useSave();
  const remove = useUndoableDelete(itemRules).remove;
  const back = () => setAdding(false);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Severance and Thirteenth Month"
      description="Without a rule nothing is due. A rule counts from its day on: for employments that end, and for months of payment. Not legal advice: check it with the authorities."
    >
      {isAdding ? (
        <RecordForm
          schema={itemRuleSchema}
          defaultValues={emptyItemRule()}
          submitLabel="Add Rule"
          failure="Rule not added"
          save={(form) => save.mutateAsync({ id: undefined, form })}
          onSaved={() => {
            showSuccess('Rule added');
            back();
          }}
          onCancel={back}
        >
          {(form) => <RuleFields {...form} />}
        </RecordForm>
      ) : (
        <div className="grid gap-4">
          <Loaded query={query} loadingText="Loading the rules..." failure="Error">
            {(rules) =>
              rules.length === 0 ? (
                <EmptyNote>No rules yet</EmptyNote>
              ) : (
                <ul aria-label="Rules" className="divide-y divide-line">
                  {rules.map((rule) => (
                    <RuleRow key={rule.id} rule={rule} onDelete={remove} />
                  ))}
                </ul>
              )
            }
          </Loaded>
          <Button className="justify-self-end" onClick={() => setAdding(true)}>
            <Plus aria-hidden="true" className="size-4.5" />
            Add Rule
          </Button>
        </div>
      )}
    </Dialog>
  );
}
