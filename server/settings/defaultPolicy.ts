/** The privacy policy of a fresh installation: what this software does, and what the operator has to fill in. Markdown. */
export const defaultPolicy = `This page says what this academy stores about you, why, for how long, and what you can do about it.

## Who is responsible

The organisation that runs this academy decides why and how your data is used. If your employer gave you your access code, your employer is responsible for your training records, and this academy keeps them on its behalf.

## What is stored

| What | Why | Legal basis (GDPR) | How long |
| --- | --- | --- | --- |
| Name, email, company, times of login | So that you can log in and get your courses | Contract, Art. 6(1)(b) | Until your data is deleted |
| Password as a one-way hash, sessions with network address and browser | To let you in and nobody else | Contract, Art. 6(1)(b); security, Art. 6(1)(f) | Sessions end after 14 days |
| Courses, progress, scores, answers, and what happened in a course step by step | So that nothing you did is lost, and you and the people who run your training can see it | Contract, Art. 6(1)(b), or your employer's interest in training, Art. 6(1)(f) | Until your data is deleted |
| Mails that were written to you | To see what was sent | Contract, Art. 6(1)(b) | Until your data is deleted |
| Your cookie decisions | To prove them | Legal duty, Art. 6(1)(c) with Art. 7(1) | While they hold, and three years on |
| Who opened, exported or changed your records | So that you can see it | Legitimate interest, Art. 6(1)(f) | Until your data is deleted |
| Logins, failed tries, and changes to your password and second factor | So that you can notice misuse | Legitimate interest, Art. 6(1)(f) | Logins and tries 90 days, changes until your data is deleted |

Nothing is sold, and nothing is sent to advertising networks. Pages load nothing from other hosts.

## Who sees it

Admins of this academy see the records of the learners. Learners see only their own. Companies never see each other. Under Privacy you see who opened yours.

## Cookies and storage in your browser

Essential: the login, your cookie choice, and a journal that holds your answers until they are saved. Functional: light or dark, a folded menu, hidden columns, once you choose them. A fresh installation uses no analytical and no targeting cookies. You can change your choice at any time with “Cookie preferences” at the foot of a page.

## What you can do

- **See and take along**: Privacy, then Export my data, gives you everything as one file.
- **Correct**: ask the person who runs training in your company.
- **Delete**: Privacy, then Delete my data. You see beforehand what is deleted, what is kept without your name, and why. Your company may have to keep proof of mandatory training for some years; it is kept under a random number, apart from everything else.
- **Complain**: to the data protection authority of your country.

## Backups

Copies that were made before a deletion disappear when the operator's backups expire.
`;
