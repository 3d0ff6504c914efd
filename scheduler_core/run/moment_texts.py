"""The texts of instructive moments, in one place for translators: labels, sentences, and tags that stand on the map."""

from __future__ import annotations

LABELS = {
    "longest_wait": "The longest wait",
    "usual_wait": "A typical wait",
    "first_bounce": "The first request that was refused",
    "first_steal": "The first steal",
    "first_throw": "The first task that lost its machine",
    "first_fault": "The first task that a fault hit",
    "first_borrow": "The first machine that was borrowed",
    "first_give": "The first part of a share that was given away",
    "first_shed": "The first task that was sent elsewhere",
    "first_overtake": "The first task that went before others",
    "first_report": "A cluster reports its state",
    "worst_bounce": "The task that was refused most often",
    "most_helped": "The steal that saved the most time",
    "least_helped": "The steal that saved the least time",
    "most_lost": "The preemption that lost the most work",
    "longest_decision": "The longest decision",
    "largest_round": "The round that started the most tasks",
    "even_choice": "A choice between machines",
    "given_share": "One job gives a part of its share away, another job uses it",
    "put_off_wait": "A task waits because its job gave a part of its share away",
    "central_placement": "The {role} places a long job",
    "skipped_turn": "A job lets others go first until a machine with its data is free",
    "probes_race": "A job asks machines drawn at random",
    "several_jobs": "A choice among several jobs",
    "two_queues": "A choice between two queues",
    "reserved_machine": "A reserved machine takes a short task",
    "at_data": "A task starts on a machine with its data",
    "near_data": "A task starts in the rack of its data",
}

PLACES = {
    "framework_queuing": "in its scheduler's queue",
    "processing": "while its scheduler decided",
    "communication": "on messages",
    "worker_queuing": "in a queue at a machine",
}

_LONG = (
    "Job {job} is long, so it goes to the {role}, which knows the queues of long tasks at all machines. It sends each "
    "of the job's {tasks} tasks to a machine "
)

SENTENCES = {
    "waited": "Task {task} waited {time}.",
    "waited_all": "Task {task} waited {time}, all of it {place_1}.",
    "waited_1": "Task {task} waited {time}, {time_1} of it {place_1}.",
    "waited_2": "Task {task} waited {time}: {time_1} {place_1} and {time_2} {place_2}.",
    "waited_3": "Task {task} waited {time}: {time_1} {place_1}, {time_2} {place_2} and {time_3} {place_3}.",
    "waited_4": (
        "Task {task} waited {time}: {time_1} {place_1}, {time_2} {place_2}, {time_3} {place_3} and {time_4} {place_4}."
    ),
    "busy": "Until then machine {machine} ran task {task}, which took {time}.",
    "refused": "Task {task} was refused {times} times; this is the last.",
    "robbed": "Machine {machine} was busy for {time} more.",
    "had_run": "Task {task} had run for {time}.",
    "loses": "Task {task} loses its machine.",
    "room_for": "This makes room for task {task}.",
    "decision": "The decision about task {task} took {time}.",
    "round": "{tasks} tasks left their queues in one round, task {task} among them.",
    "report": "{cluster} sends its state to every {role}. Until then, each had an older view of it.",
    "given": (
        "Every job has a right to an equal share. Job {giver} does not need all of its share now: it would end no "
        "earlier. So its task {waiting} waits in the queue, and the job gives that part of its share away. Job {taker} "
        "uses it: its task {task} starts on machine {machine}."
    ),
    "given_late": (
        "Every job has a right to an equal share. Job {giver} does not need all of its share now: by its plan, its "
        "task {waiting} may start as late as {until}, and the job still ends no later. So the task waits in the queue, "
        "and the job gives that part of its share away. Job {taker} uses it: its task {task} starts on machine "
        "{machine}."
    ),
    "put_off": (
        "Task {task} of job {job} was ready at {at} and waited in the queue for {time}. Its job does not end later "
        "because of this wait. So the job gave this part of its share away, and tasks of other jobs ran in the "
        "meantime."
    ),
    "put_off_late": (
        "Task {task} of job {job} was ready at {at} and waited in the queue for {time}. By the plan, it could start as "
        "late as {until}, and its job would still not end later. So the job gave this part of its share away, and "
        "tasks "
        "of other jobs ran in the meantime."
    ),
    "probes": (
        "Job {job} has {tasks} tasks. Its {probes} probes go to machines drawn at random: {machines}. Each probe waits "
        "in the queue of its machine. The machines that come to a probe first get the tasks."
    ),
    "probes_of_one": (
        "Job {job} has one task. Its {probes} probes go to machines drawn at random: {machines}. Each probe waits in "
        "the queue of its machine. The machine that comes to a probe first gets the task."
    ),
    "probe_got": "Machine {machine} got task {task} after {time}.",
    "probes_lost": "The {probes} probes left over get no task.",
    "probe_lost": "The probe left over gets no task.",
    "skipped": (
        "Job {job} was next, but no machine with the data of its waiting tasks had room. So it let other jobs go first "
        "for {time}."
    ),
    "skipped_others": "Meanwhile {tasks} tasks of other jobs started.",
    "skipped_end": "Then machine {machine} had room, which stores the data of task {task}: the task starts there.",
    "several_jobs": (
        "{count} jobs have tasks that have not started: jobs {jobs}. Job {earliest} came first, but now task {task} of "
        "job {job} starts."
    ),
    "many_jobs": (
        "{count} jobs have tasks that have not started. Of these jobs, job {earliest} came first, but now task {task} "
        "of job {job} starts."
    ),
    "queues": (
        "Besides task {task}, {short} short and {long} long tasks wait at master {keeper}, each kind in its own queue."
    ),
    "takes_short": (
        "Machine {machine} is free, and the master takes a short one: task {task}, which waited {time}. A long one has "
        "its turn after as many short ones as the weight says, or when no short one fits."
    ),
    "takes_long": (
        "Machine {machine} is free, and the master takes a long one: task {task}, which waited {time}. A long one has "
        "its turn after as many short ones as the weight says, or when no short one fits."
    ),
    "reserved": (
        "Machine {machine} is free, but reserved for short tasks. So the master takes a short one: task {task}, which "
        "waited {time}."
    ),
    "data": "The data of task {task} are on machines {machines}.",
    "central": _LONG + "that is done with its long tasks soonest. These waits are {least} to {most}.",
    "central_free": _LONG + "that has no long task.",
}

TAGS = {
    "uses": "task {task}: job {taker} uses it",
    "gives": "job {giver} gives: task {waiting} waits",
    "put_off": "task {task} waits: job {job} gave its share away",
    "skipped": "task {task} waits for its data: others go first",
    "central": "job {job}: {tasks} long tasks",
    "probes": "job {job}: {tasks} tasks, {probes} probes",
    "probes_of_one": "job {job}: one task, {probes} probes",
}

#: All of them, for translators.
MOMENT_TEXTS = (*LABELS.values(), *PLACES.values(), *SENTENCES.values(), *TAGS.values())
