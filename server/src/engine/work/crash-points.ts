// In charge of named places in the code at which tests make a worker crash, by killing its process.

/** The places, in the order in which the execution of a run reaches them. */
export const crashPoints = [
  'claimed',
  'intent-saved',
  'called',
  'checkpoint-saved',
  'result-saved',
  'before-park',
  'parked',
  'before-rest',
  'rested',
] as const
export type CrashPoint = (typeof crashPoints)[number]

/**
 * Returns the function to call at each place. `setting`: the value of `ATELIER_CRASH_AT`, which only tests set; with `called:3`,
 * the process kills itself (SIGKILL) when it reaches the place `called` for the third time.
 */
export function crashPointsOf<Point extends string = CrashPoint>(setting: string | undefined): (point: Point) => void {
  if (!setting) return () => undefined
  const [name, count = '1'] = setting.split(':')
  let left = Number(count)
  return (point) => {
    if (point !== name) return
    left -= 1
    if (left === 0) process.kill(process.pid, 'SIGKILL')
  }
}
