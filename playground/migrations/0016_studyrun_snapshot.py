from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('playground', '0015_growth'),
    ]

    operations = [
        migrations.AddField(
            model_name='studyrun',
            name='snapshot',
            field=models.FileField(blank=True, max_length=200, upload_to='snapshots/'),
        ),
    ]
