// In charge of saving files that tests make, for people to look at. They go to the folder that the environment variable
// ATELIER_KEEP_ARTIFACTS names; nothing is saved if it is not set.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'

export async function keepArtifact(name: string, bytes: Uint8Array): Promise<void> {
  const folder = process.env.ATELIER_KEEP_ARTIFACTS
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, name), bytes)
}
