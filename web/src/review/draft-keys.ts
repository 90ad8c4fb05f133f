// In charge of the keys under which text about a creative, such as a comment or an answer, is kept until it is sent.

export const commentKey = (creativeId: string): string => `${creativeId} review comment`
/** The key of the mark and the time of the comment that is kept under `commentKey`. */
export const markKey = (creativeId: string): string => `${creativeId} review mark`
export const answerKey = (creativeId: string, threadId: string): string => `${creativeId} review answer to ${threadId}`
/** The key of the reason why changes are wanted. */
export const noteKey = (creativeId: string): string => `${creativeId} review note`
/** The key of the changed text of a comment or an answer. */
export const textKey = (saidId: string): string => `${saidId} review text`
