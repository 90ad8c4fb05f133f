// In charge of the film that tests upload, `film.webm`.
import { readFile } from 'node:fs/promises'

export const filmBytes = (): Promise<Buffer> => readFile(new URL('film.webm', import.meta.url))
