import { Camera, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { FileInput } from '#web/components/form/file-input.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { squarePhoto } from '#web/lib/photos/square-photo.ts';
import { useRemovePhoto, useSetPhoto } from './photo-api.ts';
import type { Person } from './schema.ts';

/** Adds, replaces and removes the photo, which clients see while the guard is on post. */
export function PhotoButtons({ person }: { person: Person }) {
  const { id, photo_path: path } = person;
  const input = useRef<HTMLInputElement>(null);
  const set = useSetPhoto();
  const remove = useRemovePhoto();
  const setting = useSave({ success: path ? 'Photo replaced' : 'Photo added' });
  const restoring = useSave({ success: 'Photo restored' });
  const removing = useSave();

  function choose(file: File) {
    void setting.save(async () => set.mutateAsync({ id, photo: await squarePhoto(file) }));
  }
  const takeAway = (formerPath: string) =>
    removing.save(async () => {
      const photo = await remove.mutateAsync({ id, path: formerPath });
      const onPress = () => void (photo && restoring.save(() => set.mutateAsync({ id, photo })));
      showSuccess('Photo removed', undefined, photo && { label: 'Undo', onPress });
    });
  return (
    <div className="-ml-2 flex flex-wrap sm:-ml-3 print:hidden">
      <FileInput ref={input} label="Photo" accept="image/*" onChoose={choose} />
      <Button
        variant="ghost"
        className="px-2 text-muted sm:px-3"
        busy={setting.busy || restoring.busy}
        onClick={() => input.current?.click()}
      >
        {!setting.busy && !restoring.busy && <Camera aria-hidden="true" className="size-4" />}
        {path ? (
          <>
            Replace<span className="sr-only"> Photo</span>
          </>
        ) : (
          'Add Photo'
        )}
      </Button>
      {path && (
        <Button
          variant="ghost"
          className="px-2 text-muted sm:px-3"
          busy={removing.busy}
          onClick={() => void takeAway(path)}
        >
          {!removing.busy && <Trash2 aria-hidden="true" className="size-4" />}
          Remove<span className="sr-only"> Photo</span>
        </Button>
      )}
    </div>
  );
}
