import { z } from 'zod';

/** A section of config.toml; a missing one has the defaults of its keys. */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  const object = z.object(shape);
  return object.optional().transform((given) => given ?? object.parse({}));
}
