import { useId } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Checkbox } from '#web/components/ui/checkbox.tsx';
import { useEvidenceLinks } from './evidence-api.ts';
import { readFileName } from './evidence-rules.ts';
import type { LetterForm } from './letter-schema.ts';
import type { Evidence } from './schema.ts';

type PhotosProps = { form: UseFormReturn<LetterForm>; photos: readonly Evidence[] };

function Thumbnail({ photo }: { photo: Evidence }) {
  const { data } = useEvidenceLinks(photo);
  return (
    <div className="aspect-square overflow-hidden rounded-sm border border-line bg-sunken">
      {data && <img src={data.thumbnail ?? data.full} alt="" className="size-full object-cover" />}
    </div>
  );
}

function PhotoChoice({ form, photo }: Pick<PhotosProps, 'form'> & { photo: Evidence }) {
  const id = useId();
  return (
    <li className="relative">
      <Thumbnail photo={photo} />
      <div className="mt-2 flex min-h-11 items-start gap-3">
        <Checkbox id={id} value={photo.id} {...form.register('photo_ids')} />
        <label htmlFor={id} className="min-w-0 text-sm break-words">
          {readFileName(photo)}
        </label>
      </div>
    </li>
  );
}

export function ChosenPhotos({ photos }: { photos: readonly Evidence[] }) {
  if (photos.length === 0) return <p className="text-sm text-muted">Without photos.</p>;
  return (
    <ul aria-label="Photos for the client" className="grid grid-cols-3 gap-3">
      {photos.map((photo) => (
        <li key={photo.id}>
          <Thumbnail photo={photo} />
          <p className="text-sm text-muted">{readFileName(photo)}</p>
        </li>
      ))}
    </ul>
  );
}

export function LetterPhotos({ form, photos }: PhotosProps) {
  const hint = useId();
  const { error } = form.getFieldState('photo_ids', form.formState);
  if (photos.length === 0) return null;
  return (
    <fieldset className="sm:col-span-2" aria-describedby={hint}>
      <legend className="mb-1 text-sm font-semibold">Photos for the client</legend>
      <p id={hint} className="mb-3 text-sm text-muted">
        Contacts of the client see them with this letter in the client portal.
      </p>
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {photos.map((photo) => (
          <PhotoChoice key={photo.id} form={form} photo={photo} />
        ))}
      </ul>
      {error && (
        <p role="alert" className="mt-2 text-sm font-semibold text-danger">
          {error.message}
        </p>
      )}
    </fieldset>
  );
}
