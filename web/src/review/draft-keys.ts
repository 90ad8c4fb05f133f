// In charge of the keys under which the text of a comment or an answer about a creative is kept until it is sent.

export const commentKey = (creativeId: string): string => `${creativeId} review comment`
export const answerKey = (creativeId: string, threadId: string): string => `${creativeId} review answer to ${threadId}`
