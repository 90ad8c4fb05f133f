// In charge of the words that say why an exported run does not change any more. Pure.

/**
 * `creatives`: how many creatives exports of the run made. There is none of a run whose file became a new version of a creative, as
 * takes for comments do, nor of one whose creatives were all deleted for good.
 */
export function recordWords(creatives: number): string {
  const why =
    creatives === 0
      ? 'What this run made became a new version of a creative, or a creative that is gone by now'
      : `${creatives} ${creatives === 1 ? 'file of this run is' : 'files of this run are'} on a card`
  return `${why}, so it is a record and does not change any more. Running it again makes a fork.`
}
