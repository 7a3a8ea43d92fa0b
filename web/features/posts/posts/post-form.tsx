import type { UseFormReturn } from 'react-hook-form';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { Checkbox } from '#web/components/ui/checkbox.tsx';
import { useSiteOptions } from '#web/lib/data/lookups.ts';
import { useCourses } from './api.ts';
import { PatternFields } from './pattern-fields.tsx';
import { type Post, type PostForm, readHeadcount } from './schema.ts';

const GENDERS = [
  ['', 'Everyone'],
  ['female', 'Women only'],
  ['male', 'Men only'],
] as const;

type PostFieldsProps = {
  form: UseFormReturn<PostForm>;
  /** Undefined for a new one. */
  post: Post | undefined;
};

function Choice({
  label,
  isOn,
  onChange,
}: {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the Checkbox inside is an input
    <label className="relative flex min-h-11 items-center gap-3 pr-3">
      <Checkbox checked={isOn} onChange={({ target }) => onChange(target.checked)} />
      <span>{label}</span>
    </label>
  );
}

function Courses({ form }: { form: UseFormReturn<PostForm> }) {
  const { data: courses = [] } = useCourses();
  const chosen = form.watch('courses');
  return (
    <fieldset className="col-span-full">
      <legend className="text-sm font-semibold">
        Certificates that guards need <span className="font-normal text-muted">(optional)</span>
      </legend>
      <div className="mt-1 grid gap-x-4 sm:grid-cols-2 lg:grid-cols-3">
        {courses.map(({ id, title }) => (
          <Choice
            key={id}
            label={title}
            isOn={chosen.includes(id)}
            onChange={(isOn) => {
              const others = chosen.filter((course) => course !== id);
              form.setValue('courses', (isOn ? [...others, id] : others).sort(), {
                shouldDirty: true,
              });
            }}
          />
        ))}
      </div>
    </fieldset>
  );
}

export function PostFields({ form, post }: PostFieldsProps) {
  const { data: sites = [] } = useSiteOptions();
  const field = createFields(form);
  const values = form.watch();
  /** Slots that had as many guards as the post follow it. */
  const followHeadcount = ({ target }: { target: { value: string } }) => {
    const before = readHeadcount(values);
    const headcount = readHeadcount({ headcount: target.value });
    const slots = values.slots.map((slot) =>
      slot.headcount === before ? { ...slot, headcount } : slot,
    );
    if (headcount <= 100) form.setValue('slots', slots);
  };
  return (
    <div className="grid gap-8">
      <FieldGrid>
        {post === undefined &&
          field.select(
            'site_id',
            'Site',
            sites.map(({ id, name, client_name }) => [id, `${name} (${client_name})`]),
            { empty: 'Choose a site', isSearched: true, wide: true },
          )}
        {field.text('name', 'Name', { placeholder: 'Main Gate' })}
        {field.count('headcount', 'Guards at a time', {
          type: 'number',
          min: 1,
          max: 100,
          register: { onChange: followHeadcount },
        })}
      </FieldGrid>
      <PatternFields form={form} post={post} />
      <section aria-label="Who may work here">
        <h3 className="mb-3 font-display text-lg">Who may work here</h3>
        <FieldGrid>
          <Courses form={form} />
          {field.select('gender', 'Open to', GENDERS)}
          {values.gender !== '' &&
            field.text('gender_reason', 'Lawful reason', {
              hint: 'The duty that only this gender may do, such as searching visitors.',
            })}
          <div className="col-span-full grid sm:grid-cols-2">
            <Choice
              label="Guards must have been shown the site"
              isOn={values.needs_induction}
              onChange={(isOn) => form.setValue('needs_induction', isOn, { shouldDirty: true })}
            />
            <Choice
              label="The guard is alone here"
              isOn={values.lone_worker}
              onChange={(isOn) => form.setValue('lone_worker', isOn, { shouldDirty: true })}
            />
          </div>
          {field.day('valid_from', 'Post exists from')}
          {field.day('valid_to', 'Until', { optional: true, hint: 'Last day, inclusive.' })}
          {field.notes('notes', 'Notes')}
        </FieldGrid>
      </section>
    </div>
  );
}
