import { ArrowUp, X } from 'lucide-react';
import type { UseFormReturn } from 'react-hook-form';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { usePostOptions } from '#web/lib/data/lookups.ts';
import type { Checkpoint, TourForm } from './schema.ts';

type FieldsProps = { form: UseFormReturn<TourForm>; checkpoints: readonly Checkpoint[] };

/** The chosen checkpoints in the order of the walk, and the others. */
function Order({ form, checkpoints }: FieldsProps) {
  const chosen = form.watch('checkpoints');
  const error = form.formState.errors.checkpoints?.message;
  const change = (ids: string[]) =>
    form.setValue('checkpoints', ids, { shouldDirty: true, shouldValidate: true });
  const nameOf = (id: string) => checkpoints.find((point) => point.id === id)?.name ?? '';
  const others = checkpoints.filter(({ id }) => !chosen.includes(id));
  return (
    <fieldset>
      <legend className="text-sm font-semibold">Checkpoints in their order</legend>
      <ol className="mt-2 divide-y divide-line border-y border-line empty:hidden">
        {chosen.map((id, at) => (
          <li key={id} className="flex items-center gap-2 py-1">
            <span className="w-6 text-muted tabular-nums">{at + 1}</span>
            <span className="min-w-0 flex-1 break-words">{nameOf(id)}</span>
            <Button
              variant="ghost"
              size="icon"
              disabled={at === 0}
              aria-label={`Move ${nameOf(id)} up`}
              onClick={() => change(chosen.with(at, chosen[at - 1] ?? id).with(at - 1, id))}
            >
              <ArrowUp aria-hidden="true" className="size-4" />
            </Button>
            <Button
              variant="ghost"
              size="icon"
              aria-label={`Take out ${nameOf(id)}`}
              onClick={() => change(chosen.filter((one) => one !== id))}
            >
              <X aria-hidden="true" className="size-4" />
            </Button>
          </li>
        ))}
      </ol>
      {others.length > 0 && (
        <div className="mt-3 flex flex-wrap gap-2">
          {others.map(({ id, name }) => (
            <Button key={id} variant="secondary" onClick={() => change([...chosen, id])}>
              Add {name}
            </Button>
          ))}
        </div>
      )}
      {error && <p className="mt-2 text-sm font-medium text-danger">{error}</p>}
    </fieldset>
  );
}

export function TourFields({ form, checkpoints }: FieldsProps) {
  const { data: posts = [] } = usePostOptions(form.watch('site_id'));
  const field = createFields(form);
  const isInterval = form.watch('rhythm') === 'interval';
  return (
    <div className="grid gap-7">
      <FieldGrid>
        {field.text('name', 'Name', { placeholder: 'Perimeter' })}
        {field.select('post_id', 'Post', [
          ['', 'Any guard at the site'],
          ...posts.map(({ id, name }): [string, string] => [id, name]),
        ])}
        {field.select('rhythm', 'Planned', [
          ['times', 'At times of the day'],
          ['interval', 'At intervals during a shift'],
        ])}
        {isInterval
          ? field.count('every_minutes', 'Every (minutes)')
          : field.text('times', 'Times', { placeholder: '20:00, 23:00, 02:00' })}
        {field.count('tolerance_minutes', 'Tolerance (minutes)', {
          hint: 'How early a round may begin, and how late it may end.',
        })}
        {field.count('min_seconds', 'Shortest walk (seconds)', {
          hint: 'Two scans closer together than this are flagged.',
        })}
      </FieldGrid>
      <Order form={form} checkpoints={checkpoints} />
    </div>
  );
}
